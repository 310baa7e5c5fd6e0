import ControlAPI
import Foundation
import Testing

/// The description of the API has everything that the API takes.
@Suite struct OpenAPITests {
  private func document() throws -> [String: Any] {
    let json = try OpenAPIDocument.json(version: "1")
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  /// The names of all requests, as the sources of the wire have them: a new one is in no list yet.
  private static func wireRequests() throws -> Set<String> {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Wire/Messages").standardized
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    return Set(text.matches(of: #/: Request\b[^{]*\{\s+package static let name = "(\w+)"/#).map { String($0.1) })
  }

  @Test func everyRequestOfTheWireIsThereOrIsBetweenNodes() throws {
    let requests = try Self.wireRequests()
    #expect(requests.count > 60)
    let there = Set(ControlRequest.all.map(\.name))
    #expect(requests.subtracting(there).subtracting(ControlRequest.betweenNodes).sorted() == [])
    #expect(there.subtracting(requests).sorted() == [])
    #expect(there.intersection(ControlRequest.betweenNodes).isEmpty)
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
