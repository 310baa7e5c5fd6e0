import Foundation
import Shared
import Testing
import Wire

/// The examples in docs/protocol are what the code writes, and the code reads them.
@Suite struct DocumentedMessagesTests {
  @Test(arguments: MessageExample.all)
  func documentedJSONIsWhatTheCodeWrites(_ example: MessageExample) throws {
    let written = String(decoding: example.json, as: UTF8.self)
    let text = try #require(
      try ProtocolDocument.examples(in: "json")[example.name],
      "docs/protocol has no example '\(example.name)'; the code writes \(written)")
    #expect(try canonical(Data(text.utf8)) == canonical(example.json), "the code writes \(written)")
  }

  @Test(arguments: MessageExample.all)
  func documentedJSONSurvivesReadingAndWriting(_ example: MessageExample) throws {
    let text = try #require(try ProtocolDocument.examples(in: "json")[example.name])
    #expect(try canonical(try example.rewrite(Data(text.utf8))) == canonical(Data(text.utf8)))
  }

  @Test func everyDocumentedExampleIsChecked() throws {
    let checked = Set(MessageExample.all.map(\.name))
    #expect(checked.count == MessageExample.all.count, "two examples have the same name")
    #expect(try ProtocolDocument.examples(in: "json").keys.filter { !checked.contains($0) } == [])
  }

  @Test func unknownFieldsArePassedOver() throws {
    let json = #"{"organizer":"alice","colour":{"of":["the","moon"]}}"#
    #expect(try WireJSON.decode(CreateFamily.self, from: Data(json.utf8)).organizer == "alice")
  }

  @Test func uuidsAreReadInEitherCase() throws {
    let json = #"{"appAccountToken":"7e3fb204-942c-4a8e-9c0e-3d851e9b6f10"}"#
    let token = try WireJSON.decode(SignInUser.self, from: Data(json.utf8)).appAccountToken
    #expect(token?.uuidString == "7E3FB204-942C-4A8E-9C0E-3D851E9B6F10")
  }

  @Test func missingAndWrongFieldsAreNamed() {
    #expect {
      try WireJSON.decode(SetOnline.self, from: Data("{}".utf8))
    } throws: { ($0 as? WireError)?.code == .badBody && "\($0)".contains("'online'") }
    #expect {
      try WireJSON.decode(AdvanceClock.self, from: Data(#"{"target":{"kind":"by","milliseconds":"soon"}}"#.utf8))
    } throws: { "\($0)".contains("target.milliseconds") }
    #expect {
      try WireJSON.decode(AdvanceClock.self, from: Data(#"{"target":{"kind":"sideways"}}"#.utf8))
    } throws: { "\($0)".contains("target.kind") && "\($0)".contains("sideways") }
  }

  /// The same text for the same JSON, however it is laid out.
  private func canonical(_ json: Data) throws -> String {
    let object = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }
}
