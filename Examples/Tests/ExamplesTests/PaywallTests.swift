import FleetTesting
import Testing

/// What an app offers to whom.
struct PaywallTests {
  private func shareWithTheFamily(_ app: FleetApp, _ body: (FleetDevice) async throws -> Void) async throws {
    try await Stage.play(
      app, ["alice": ["phone"], "kid": ["kid-phone"]], families: ["smith": ["alice", "kid"]]
    ) { fleet in
      try await fleet.device("phone").buy(Stage.yearly)
      try await fleet.device("kid-phone").expect("has it too") { $0.access == .unlocked }
      try await fleet.device("phone").expect("manages it") { $0.message?.contains("manage subscription") == true }
      try await body(fleet.device("kid-phone"))
    }
  }

  @Test func whoSharesASubscriptionCannotManageIt() async throws {
    try await shareWithTheFamily(Stage.examPrep) { kid in
      let look = try await kid.expect("says whose it is") { $0.message?.contains("shared by your family") == true }
      #expect(look.familyShared == [Stage.yearly])
    }
    try await shareWithTheFamily(Stage.wrong("manageForAll")) { kid in
      try await kid.expect("has a button that opens nothing") { $0.message == "manage subscription" }
    }
  }

  private func lapse(_ app: FleetApp, _ body: (FleetDevice) async throws -> Void) async throws {
    try await Stage.play(app) { fleet in
      let phone = fleet.device("phone")
      try await phone.expect("offers the trial to a new customer") { $0.message?.hasSuffix("one week free") == true }
      try await phone.buy(Stage.yearly)
      try await fleet.account("alice").setAutoRenew(Stage.yearly, on: false)
      try await fleet.clock.advance(days: 40)
      try await fleet.settle()
      try await body(phone)
    }
  }

  @Test func aTrialIsOfferedOnceAGroup() async throws {
    try await lapse(Stage.examPrep) { phone in
      try await phone.expect("sells at the full price") {
        $0.access == .locked && $0.message?.hasSuffix("subscribe") == true
      }
    }
    try await lapse(Stage.wrong("trialForAll")) { phone in
      try await phone.expect("promises what costs money") { $0.access == .locked && $0.message == "one week free" }
    }
  }

  @Test func everyEndOfARestoreIsTold() async throws {
    try await Stage.play(Stage.examPrep) { fleet in
      let phone = fleet.device("phone")
      #expect(try await phone.restore() == .nothingToRestore)
      try await phone.buy(Stage.yearly)
      #expect(try await phone.restore() == .restored)
      try await phone.goOffline()
      #expect(try await phone.restore() == .failed)
    }
    try await Stage.play(Stage.wrong("silentRestore")) { fleet in
      let error = await #expect(throws: FleetTestingError.self) { try await fleet.device("phone").restore() }
      #expect(error?.message.contains("does not say how the restore ended") == true)
    }
  }
}
