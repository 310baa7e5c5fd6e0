import Fleet
import FleetTesting
import Shared
import Testing
import Wire

/// Signed copies that are not what they should be, through the real signer, wire and phone.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TamperedCopiesTests {
  @Test(arguments: [
    (TamperCopies.Fault.tampered, "invalidSignature"), (.foreignRoot, "invalidCertificateChain"),
    (.wrongBundle, "invalidDeviceVerification"), (.unparsable, "invalidEncoding"),
  ])
  func aBadCopyArrivesUnverifiedIsFinishedAndUnlocksNothing(_ fault: TamperCopies.Fault, _ error: String) async throws {
    try await withFleet(["alice": ["phone"], "bob": ["pad"]]) { fleet in
      _ = try await fleet.ask(TamperCopies(fault: fault), of: fleet.device("phone"))
      let bad = try #require(try await fleet.account("alice").buy(Product.lifetime))
      let good = try #require(try await fleet.account("bob").buy(Product.lifetime))
      let phone = try await fleet.device("phone").expect("has finished what came") {
        !$0.updates.isEmpty && $0.unfinished.isEmpty
      }
      #expect(phone.updates.map(\.transactionID) == [bad])
      #expect(phone.updates.map(\.verificationError) == [error])
      #expect(phone.unlocked.isEmpty)
      #expect(phone.access == .locked)
      // The next phone's copy is as good as ever.
      let pad = try await fleet.device("pad").expect("may use what was bought") { $0.access == .unlocked }
      #expect(pad.updates.map(\.transactionID) == [good])
      #expect(pad.updates.map(\.verificationError) == [nil])
    }
  }
}
