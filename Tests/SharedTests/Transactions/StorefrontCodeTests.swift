import Testing

@testable import Shared

struct StorefrontCodeTests {
  @Test func thereAreTheAppStoresStorefronts() {
    #expect(StorefrontCode.all.count == 175)
    for code in ["USA", "DEU", "JPN", "XKS"] { #expect(StorefrontCode.mistake(in: code) == nil) }
  }

  @Test func whatIsNoneIsToldWithARemedy() {
    #expect(StorefrontCode.mistake(in: "deu") == "'deu' is no storefront: did you mean 'DEU'?")
    for code in ["XXX", "", "DE", "Germany", "ÄÖÜ"] {
      #expect(StorefrontCode.mistake(in: code)?.hasSuffix("such as USA or DEU") == true, "\(code)")
    }
  }
}
