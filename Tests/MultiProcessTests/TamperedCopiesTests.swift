import Fleet
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
      let bad = try await fleet.buy(Product.lifetime, for: "alice")
      let good = try await fleet.buy(Product.lifetime, for: "bob")
      let phone = try await fleet.until("phone", "has finished what came") {
        !$0.updates.isEmpty && $0.unfinished.isEmpty
      }
      #expect(phone.updates.map(\.transactionId) == [bad])
      #expect(phone.updates.map(\.unverified) == [error])
      #expect(phone.screen?.entitled == [])
      #expect(phone.screen?.access == .locked)
      // The next phone's copy is as good as ever.
      let pad = try await fleet.until("pad", "may use what was bought") { $0.screen?.access == .unlocked }
      #expect(pad.updates.map(\.transactionId) == [good])
      #expect(pad.updates.map(\.unverified) == [nil])
    }
  }
}
