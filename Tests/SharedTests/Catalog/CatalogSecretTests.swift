import Foundation
import Shared
import Testing

struct CatalogSecretTests {
  private let secret = "c2VjcmV0LWtleQ"

  @Test func privateKeyIsReadButShownNowhere() throws {
    let catalog = try CatalogFixtures.catalog(
      "{ version: {}, products: [], subscriptionOffersKeyPair: { id: \"K1\", privateKey: \"\(secret)\" } }")
    #expect(catalog.subscriptionOffersKeyPair?.privateKey == secret)
    #expect(catalog.subscriptionOffersKeyPair?.id == "K1")
    var dumped = ""
    dump(catalog, to: &dumped)
    let encoded = String(decoding: try JSONEncoder().encode(catalog), as: UTF8.self)
    for text in [dumped, encoded, String(describing: catalog), String(reflecting: catalog), "\(catalog.warnings)"] {
      #expect(!text.contains(secret))
    }
  }

  @Test(arguments: [
    "subscriptionOffersKeyPair: \"SECRET\"", "subscriptionOffersKeyPair: [\"SECRET\"]",
    "subscriptionOffersKeyPair: { id: 12345, privateKey: 54321 }",
    "subscriptionOffersKeyPair: { id: \"x\", privateKey: \"SECRET }",
    "subscriptionOffersKeyPair: { privateKey: SECRET }",
  ])
  func mistakesInTheKeyPairDoNotQuoteIt(member: String) {
    let lines = CatalogFixtures.mistakes("{ version: {}, products: [], \(member) }")
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(!line.contains("SECRET") && !line.contains("12345") && !line.contains("54321"), "\(line)")
    }
  }
}
