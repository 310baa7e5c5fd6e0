import Foundation
import Shared
import Testing

@testable import AppStoreServerAPI

struct RevisionTests {
  @Test(arguments: [nil, 1, 77, UInt64(UInt32.max)]) func placesSurviveTheirText(_ change: UInt64?) throws {
    let revision = Revision(.ascending, ordinal: 12, change: change)
    #expect(try Revision(revision.text, list: .ascending, ordinal: 12) == revision)
  }

  @Test func everyOtherTextIsRefused() {
    let text = Revision(.ascending, ordinal: 12, change: 77).text
    for wrong in [
      "", "A", text + "A", String(text.dropLast()), text.uppercased(), "é", String(repeating: "A", count: 99),
    ] {
      #expect(throws: APIError.invalidRequestRevision) { try Revision(wrong, list: .ascending, ordinal: 12) }
    }
    #expect(throws: APIError.invalidRequestRevision) { try Revision(text, list: .ascending, ordinal: 13) }
    #expect(throws: APIError.invalidRequestRevision) { try Revision(text, list: .descending, ordinal: 12) }
  }

  @Test func signaturesAreKeptByRevisionAndBounded() {
    let cache = SignatureCache(mostBytes: 300)
    func key(_ id: UInt64, _ revision: UInt64 = 1) -> SignatureCache.Key { .init(.transaction, .init(id), revision) }
    cache[key(1)] = .init(count: 100)
    #expect(cache[key(1, 2)] == nil && cache[.init(.renewalInfo, .init(1), 1)] == nil)
    for id in 2...20 {
      cache[key(UInt64(id))] = .init(count: 100)
      // What is asked for stays.
      #expect(cache[key(1)] != nil)
    }
    #expect(cache[key(2)] == nil)
  }
}
