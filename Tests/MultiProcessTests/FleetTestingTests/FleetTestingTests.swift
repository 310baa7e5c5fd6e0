import Fleet
import FleetTesting
import Foundation
import Testing

/// What a test sees of a fleet when something is wrong.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FleetTestingTests {
  @Test func anExpectationThatIsNotMetShowsWhatWasSeenAndTheHistory() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      try await fleet.device("phone").buy(Product.lifetime)
      try await fleet.expectAgreement()
      let failure = await #expect(throws: UnmetExpectation.self) {
        try await fleet.device("phone").expect("owns coins", within: .zero) { $0.unlocked == [Product.coins] }
      }
      let text = failure.map(\.description) ?? ""
      #expect(text.contains("FleetTestingTests.swift:"), "\(text)")
      #expect(text.contains("phone: owns coins"))
      #expect(text.contains("last seen: phone is online; its app shows unlocked; may use \(Product.lifetime)"))
      #expect(text.contains("alice  purchased  \(Product.lifetime) #"))
    }
  }

  /// On a busy machine the deadline may pass before anything was seen.
  @Test func aDeadlineThatIsTooShortForALookStillHasOne() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      try await fleet.device("phone").expect("is there", within: .nanoseconds(1)) { $0.isRunning }
      let failure = await #expect(throws: UnmetExpectation.self) {
        try await fleet.device("phone").expect("owns coins", within: .nanoseconds(1)) { $0.unlocked == [Product.coins] }
      }
      #expect(failure?.seen.contains("phone is online") == true, "\(failure?.seen ?? "")")
    }
  }

  @Test func aRefusalIsASentence() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      let refusal = await #expect(throws: FleetTestingError.self) {
        try await fleet.account("alice").refund(Product.coins)
      }
      #expect(refusal?.message.isEmpty == false)
      let unknown = await #expect(throws: FleetTestingError.self) { try await fleet.device("tablet").launch() }
      #expect(unknown?.message.contains("'tablet'") == true)
    }
  }

  @Test func everythingEndsWithTheCallAlsoWhenItThrows() async throws {
    struct Enough: Error {}
    let workplace = try FleetWorkplace()
    var watches: [ProcessWatch] = []
    await #expect(throws: Enough.self) {
      try await withFleet(["alice": ["phone"]], workplace: workplace) { fleet in
        watches = try fleet.processes.folder.readDescription().nodes.map { try ProcessWatch($0) }
        throw Enough()
      }
    }
    #expect(watches.count == 2)
    for watch in watches { try await watch.end() }
  }

  @Test func aCatalogueThatIsNoneIsRefused() async throws {
    let failure = await #expect(throws: FleetTestingError.self) {
      try await FleetTesting.Fleet.run([:], catalog: .file("/nowhere/Products.storekit")) { _ in }
    }
    #expect(failure?.message.contains("/nowhere/Products.storekit") == true)
  }
}
