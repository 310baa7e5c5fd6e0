import FleetTesting
import Testing

/// What an app shows of what its user may use.
struct AccessTests {
  @Test func aSeasonPassIsNoSubscription() async throws {
    try await Stage.play(Stage.photoFilters) { fleet in
      #expect(try await fleet.device("phone").buy(Stage.season) == .completed)
      try await fleet.device("phone").expect("sells its plans still") { $0.access == .locked }
      #expect(try await fleet.device("phone").buy(Stage.yearly) == .completed)
      try await fleet.device("phone").expect("has a plan") { $0.unlocked == [Stage.yearly] }
    }
    try await Stage.play(Stage.wrong("anyTransaction")) { fleet in
      try await fleet.device("phone").buy(Stage.season)
      try await fleet.device("phone").expect("takes it for a plan") { $0.message == "premium" }
    }
  }

  @Test func aPurchaseOfOnceUnlocksEveryDeviceAndARefundLocksThemAgain() async throws {
    try await Stage.play(Stage.proUnlock, ["alice": ["pad", "phone"]]) { fleet in
      #expect(try await fleet.device("phone").restore() == .nothingToRestore)
      try await fleet.device("phone").buy(Stage.lifetime)
      for device in fleet.devices { try await device.expect("is pro") { $0.access == .unlocked } }
      #expect(try await fleet.device("pad").restore() == .restored)
      try await fleet.account("alice").refund(Stage.lifetime)
      for device in fleet.devices { try await device.expect("is pro no longer") { $0.access == .locked } }
      try await fleet.expectAgreement()
    }
  }

  /// A customer opens the app in a tunnel.
  private func openOffline(
    _ app: FleetApp, habits: FleetHabits = .documented, _ body: (FleetDevice) async throws -> Void
  ) async throws {
    try await Stage.play(app) { fleet in
      let phone = fleet.device("phone")
      try await fleet.account("alice").buy(Stage.yearly)
      try await phone.expect("has bought") { $0.access == .unlocked }
      try await fleet.setHabits(habits)
      try await phone.kill()
      try await phone.goOffline()
      try await phone.launch()
      try await body(phone)
    }
  }

  @Test func notKnownYetIsNeitherLockedNorUnlocked() async throws {
    try await openOffline(Stage.examPrep) { phone in
      try await phone.expect("unlocks once it knows") {
        $0.access == .unlocked && $0.message?.hasPrefix("opened with a spinner") == true
      }
    }
    try await openOffline(Stage.wrong("twoValues")) { phone in
      try await phone.expect("locked a customer out first") {
        $0.access == .unlocked && $0.message == "opened with a verdict"
      }
    }
  }

  /// Asked right after a launch, the store may answer with nothing, as if nothing were owned.
  @Test func anEmptyAnswerOfTheFirstMomentIsNoVerdict() async throws {
    try await openOffline(Stage.examPrep, habits: .with(.coldStartEmpty)) { phone in
      try await phone.expect("waits for the store, and unlocks") {
        $0.access == .unlocked && $0.message?.hasPrefix("opened with a spinner") == true
      }
    }
    for way in ["emptyMeansFree", "twoValues"] {
      try await openOffline(Stage.wrong(way), habits: .with(.coldStartEmpty)) { phone in
        try await phone.expect("has a verdict") { $0.access != .unknown }
        // Longer than the store takes to load, and nothing will tell the app to look again.
        await #expect(throws: UnmetExpectation.self) {
          try await phone.expect("unlocks", within: .milliseconds(1_500)) { $0.access == .unlocked }
        }
      }
    }
  }

  @Test func aPhoneThatKnowsNothingSaysNothing() async throws {
    try await Stage.play(Stage.examPrep, launches: false) { fleet in
      let phone = fleet.device("phone")
      try await phone.goOffline()
      try await phone.launch()
      await #expect(throws: UnmetExpectation.self) {
        try await phone.expect("has a verdict", within: .seconds(2)) { $0.access != .unknown }
      }
      try await phone.goOnline()
      try await phone.expect("knows that there is nothing") { $0.access == .locked }
    }
  }

  @Test func whatTestersAndReviewersBuyCountsToo() async throws {
    try await Stage.play(Stage.examPrep) { fleet in
      try await fleet.device("phone").buy(Stage.yearly)
      try await fleet.device("phone").expect("unlocks in the sandbox") { $0.access == .unlocked }
    }
    try await Stage.play(Stage.wrong("productionOnly")) { fleet in
      try await fleet.device("phone").buy(Stage.yearly)
      try await fleet.device("phone").expect("took the money, and unlocks nothing") {
        $0.access == .locked && $0.message == "1 bought"
      }
    }
  }

  /// A subscription that will not renew, a phone without a connection, and a year that goes by.
  private func missTheEnd(_ app: FleetApp, _ body: (Fleet) async throws -> Void) async throws {
    try await Stage.play(app) { fleet in
      let phone = fleet.device("phone")
      try await phone.buy(Stage.yearly)
      try await fleet.account("alice").setAutoRenew(Stage.yearly, on: false)
      try await phone.expect("has bought") { $0.access == .unlocked }
      try await phone.goOffline()
      try await fleet.clock.advance(days: 400)
      try await body(fleet)
    }
  }

  @Test func anExpiryThatNobodyTellsOfIsSeenOnTheClock() async throws {
    try await missTheEnd(Stage.examPrep) { fleet in
      try await fleet.device("phone").expect("knows that it is over") { $0.access == .locked }
    }
    try await missTheEnd(Stage.wrong("noExpiry")) { fleet in
      let look = try await fleet.device("phone").look()
      #expect(look.access == .unlocked, "for ever")
    }
  }

  @Test func thirtyDaysAreThirtyDaysWhateverAPeriodLasts() async throws {
    func subscribe(_ app: FleetApp, _ body: (Fleet) async throws -> Void) async throws {
      try await Stage.play(app) { fleet in
        try await fleet.clock.setRate(.monthlyRenewalEveryFiveMinutes)
        try await fleet.device("phone").buy(Stage.monthly)
        try await fleet.device("phone").expect("welcomes") { $0.message == "welcome" }
        // A week's trial and a month, as tests have them.
        try await fleet.clock.advance(by: .seconds(6 * 60))
        try await fleet.settle()
        try await body(fleet)
      }
    }
    try await subscribe(Stage.studyApp) { fleet in
      try await fleet.device("phone").expect("still welcomes") { $0.message == "welcome" }
      try await fleet.clock.setRate(.realTime)
      try await fleet.clock.advance(days: 31)
      try await fleet.device("phone").expect("has welcomed enough") { $0.message == nil }
    }
    try await subscribe(Stage.wrong("countedMonths")) { fleet in
      try await fleet.device("phone").expect("takes six minutes for a month") { $0.message == nil }
    }
  }
}
