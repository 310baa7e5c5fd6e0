import Foundation
import ServerNode
import Shared
import Testing
import Wire

@Suite struct SignedCopiesLimitTests {
  @Test func moreCopiesThanAReplyHasFramesForAreRefusedBeforeTheyAreSigned() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let copy = WantedCopy(subject: .transaction(TransactionID(1)), device: nil, deviceVerificationId: nil)
    let most = GetSignedCopies(copies: Array(repeating: copy, count: GetSignedCopies.mostCopies))
    #expect(try store.ask(most, of: store.account("alice")).revisions.count == GetSignedCopies.mostCopies)
    let tooMany = GetSignedCopies(copies: most.copies + [copy])
    #expect {
      try store.ask(tooMany, of: store.account("alice"))
    } throws: { ($0 as? WireError)?.code == .badBody }
  }
}
