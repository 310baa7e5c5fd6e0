import ControlAPI
import Foundation
import Testing
import Wire

/// The description of the API has everything that the API takes.
@Suite struct OpenAPITests {
  private func document() throws -> [String: Any] {
    let json = try OpenAPIDocument.json(version: "1")
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  /// Every request that the protocol's document has an example of.
  private static func documentedRequests() throws -> Set<String> {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/protocol/03-messages.md").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    return Set(text.matches(of: #/```json (\w+)[.\w]*\.request\n/#).map { String($0.1) })
  }

  @Test func everyRequestOfTheProtocolIsThereOrIsBetweenNodes() throws {
    let requests = try Self.documentedRequests()
    #expect(requests.count > 50)
    let there = Set(ControlRequest.all.map(\.name))
    #expect(requests.subtracting(there).subtracting(ControlRequest.betweenNodes).sorted() == [])
    #expect(there.intersection(ControlRequest.betweenNodes).isEmpty)
  }

  /// Examples of `hello` are in another document.
  @Test func nothingIsThereThatTheProtocolDoesNotHave() throws {
    let requests = try Self.documentedRequests()
    #expect(Set(ControlRequest.all.map(\.name)).subtracting(requests).sorted() == [])
  }

  @Test func noTwoOperationsShareAPath() {
    let paths = ControlRequest.all.map(\.path)
    #expect(Set(paths).count == paths.count)
  }

  @Test func schemasFollowFromTheMessages() throws {
    let components = try #require(try document()["components"] as? [String: Any])
    let schemas = try #require(components["schemas"] as? [String: Any])
    let purchase = try #require(schemas["Purchase"] as? [String: Any])
    let properties = try #require(purchase["properties"] as? [String: Any])
    #expect((purchase["required"] as? [String])?.contains("productId") == true)
    #expect((purchase["required"] as? [String])?.contains("appAccountToken") == false)
    #expect((properties["productId"] as? [String: String]) == ["type": "string"])
    let report = try #require(schemas["DeviceReport"] as? [String: Any])
    #expect((report["required"] as? [String])?.contains("screen") == false)
  }

  /// Every `$ref` leads somewhere.
  @Test func referencesAreWhole() throws {
    let document = try document()
    let text = String(decoding: try OpenAPIDocument.json(version: "1"), as: UTF8.self)
    let references = Set(text.matches(of: #/"\$ref":"#\/([^"]+)"/#).map { String($0.1) })
    #expect(references.count > 40)
    for reference in references {
      var place: Any? = document
      for part in reference.split(separator: "/") { place = (place as? [String: Any])?[String(part)] }
      #expect(place != nil, "\(reference)")
    }
  }
}
