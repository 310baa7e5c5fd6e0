import FleetTesting
import Testing

/// Who listens when, and who says that it has heard.
struct ListenerTests {
  /// Coins are bought in the App Store while the app is closed; then it is opened.
  private func openAfterAGift(_ app: FleetApp, _ body: (FleetDevice) async throws -> Void) async throws {
    try await Stage.play(app, launches: false) { fleet in
      try await fleet.account("alice").buy(Stage.coins)
      try await fleet.device("phone").launch()
      try await body(fleet.device("phone"))
    }
  }

  @Test func aListenerFromTheLaunchOnGetsWhatHappenedBefore() async throws {
    try await openAfterAGift(Stage.photoFilters) { phone in
      try await phone.expect("has the coins") { $0.message == "100 coins" && $0.unfinished.isEmpty }
    }
  }

  @Test func aLateListenerGetsNothingOfIt() async throws {
    try await openAfterAGift(Stage.wrong("lateListener")) { phone in
      // It does listen now, so something new arrives; and what was there before never did.
      try await phone.buy(Stage.season)
      let look = try await phone.look()
      #expect(look.message == "0 coins")
      #expect(look.unfinished.count == 1, "paid for, and not delivered")
    }
  }

  /// The customer looks at the shop, and then coins come from outside.
  private func giveWhileTheShopIsOpen(_ app: FleetApp, _ body: (FleetDevice) async throws -> Void) async throws {
    try await Stage.play(app) { fleet in
      let phone = fleet.device("phone")
      try await phone.buy(Stage.season)
      try await fleet.account("alice").buy(Stage.coins)
      try await fleet.settle()
      try await body(phone)
    }
  }

  @Test func aListenerOfTheAppHearsWhateverViewIsShown() async throws {
    try await giveWhileTheShopIsOpen(Stage.photoFilters) { phone in
      try await phone.expect("has the coins") { $0.message == "100 coins" && $0.unfinished.isEmpty }
    }
  }

  @Test func aListenerOfAViewEndsWithIt() async throws {
    try await giveWhileTheShopIsOpen(Stage.wrong("viewListener")) { phone in
      let look = try await phone.look()
      #expect(look.message == "0 coins")
      #expect(look.unfinished.count == 1)
    }
  }

  @Test func whatIsFinishedIsGrantedOnce() async throws {
    try await Stage.play(Stage.photoFilters) { fleet in
      let phone = fleet.device("phone")
      #expect(try await phone.buy(Stage.coins) == .completed)
      #expect(try await phone.look().message == "100 coins")
      try await phone.kill()
      try await phone.launch()
      try await fleet.settle()
      #expect(try await phone.look().unfinished.isEmpty)
    }
  }

  @Test func whatIsNotFinishedIsGrantedAtEachLaunch() async throws {
    try await Stage.play(Stage.wrong("missingFinish")) { fleet in
      let phone = fleet.device("phone")
      try await phone.buy(Stage.coins)
      for coins in ["200 coins", "300 coins"] {
        try await phone.kill()
        try await phone.launch()
        try await phone.expect("gets the same coins again") { $0.message == coins }
      }
      #expect(try await phone.look().unfinished.count == 1)
    }
  }

  /// Something comes from outside whose signature is not right, and the app is opened again.
  private func openAfterAForgery(_ app: FleetApp, _ body: (FleetDevice) async throws -> Void) async throws {
    try await Stage.play(app) { fleet in
      let phone = fleet.device("phone")
      try await phone.tamper(.tampered)
      try await fleet.account("alice").buy(Stage.lifetime)
      try await phone.expect("has seen it") { $0.updates.map(\.verificationError) == ["invalidSignature"] }
      try await fleet.settle()
      try await phone.kill()
      try await phone.launch()
      try await fleet.settle()
      try await body(phone)
    }
  }

  @Test func whatIsNotVerifiedIsFinishedToo() async throws {
    try await openAfterAForgery(Stage.proUnlock) { phone in
      let look = try await phone.look()
      #expect(look.updates.isEmpty && look.unfinished.isEmpty)
    }
    try await openAfterAForgery(Stage.wrong("unverifiedStays")) { phone in
      try await phone.expect("gets it again") { $0.message == "1 complaints" && $0.unfinished.count == 1 }
    }
  }
}
