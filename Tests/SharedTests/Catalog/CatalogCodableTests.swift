import Foundation
import Shared
import Testing

struct CatalogCodableTests {
  @Test func comesBackFromJSONUnchanged() throws {
    let catalog = try Catalog.load(contentsOf: CatalogFixtures.demoFile)
    let decoded = try JSONDecoder().decode(Catalog.self, from: JSONEncoder().encode(catalog))
    #expect(decoded == catalog)
    #expect(decoded.product("com.example.app.lifetime")?.type == .nonConsumable)
  }

  /// Pairs of a text in the encoded demo and what a careless or hostile peer puts there.
  @Test(arguments: [
    (#""id":"com.example.app.lifetime""#, #""id":"com.example.app.coins""#),
    (#""id":"com.example.app.lifetime""#, #""id":"""#),
    (#""type":"Non-Consumable""#, #""type":"Auto-Renewable Subscription""#),
    (#""type":"Non-Consumable""#, #""type":"Consumable""#),
    (#""priceMilliunits":49990"#, #""priceMilliunits":-1"#),
    (#""groupID":"5E1F00D2""#, #""groupID":"5E1F00D1""#),
    (#""level":3"#, #""level":0"#),
    (#""kind":"promotional""#, #""kind":"winBack""#),
    (#""periodCount":3"#, #""periodCount":0"#),
    (#""period":"P1W""#, #""period":"P0W""#),
    (#""paymentMode":"PAY_UP_FRONT""#, #""paymentMode":"FREE_TRIAL""#),
  ])
  func refusesWhatIsNoCatalogue(original: String, replacement: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let catalog = try Catalog.load(contentsOf: CatalogFixtures.demoFile)
    let text = String(decoding: try encoder.encode(catalog), as: UTF8.self)
    #expect(text.contains(original))
    let range = try #require(text.range(of: original))
    let broken = text.replacingCharacters(in: range, with: replacement)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Catalog.self, from: Data(broken.utf8)) }
  }
}
