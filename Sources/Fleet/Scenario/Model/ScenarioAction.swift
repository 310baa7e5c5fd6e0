package import Shared
package import Wire

/// What a step does.
package enum ScenarioAction: Sendable, Hashable {
  package enum Buyer: Sendable, Hashable {
    /// A tap on the buy button of the app.
    case device(String)
    /// In the App Store itself.
    case account(String)
  }

  package enum PurchaseOutcome: String, Sendable, Hashable, CaseIterable {
    case completed, awaitingApproval, failed
  }

  package struct Buy: Sendable, Hashable {
    package var productId: String
    package var by: Buyer
    package var quantity: Int
    /// Whether the step ends when the purchase has, or as soon as it has begun.
    package var waits: Bool
    /// Nil accepts everything but a failure.
    package var expected: PurchaseOutcome?
  }

  package enum ClockTarget: Sendable, Hashable {
    case by(Duration)
    case to(StoreTime)
    case nextEvent
  }

  package enum ProcessVerb: String, Sendable, Hashable, CaseIterable {
    /// SIGKILL: nothing is saved, nobody is told.
    case kill
    /// Starts it again, after a kill if it still runs.
    case restart
  }

  case buy(Buy)
  /// `percent` is nil for all of the price.
  case refund(productId: String, account: String, reason: Int, percent: Int?)
  case subscription(SubscriptionAction, account: String)
  case account(AccountAction, account: String)
  case answerAskToBuy(approve: Bool, productId: String?, account: String)
  case autoRenew(productId: String, on: Bool, account: String)
  case join(account: String, family: String)
  case leave(account: String, family: String)
  case share(productId: String, on: Bool, account: String, family: String)
  case hideApp(account: String, family: String, hidden: Bool)
  case purchaseSharing(family: String, on: Bool)
  case makeShareable(productId: String)
  case resetWorld
  case notifications(NotificationAction)
  case setOnline(Bool, devices: [String])
  case kill(devices: [String])
  case launch(devices: [String])
  case fault(FaultAction, FaultTarget)
  /// What an interrupted purchase waits for is done.
  case resolve(productId: String?, account: String)
  case advance(ClockTarget)
  case timeRate(TimeRate)
  case habits(HabitChange)
  /// How far the phones' clocks are ahead of the world's.
  case skew(Duration, devices: [String])
  /// Nil signs out.
  case signIn(user: String?, devices: [String])
  case restore(devices: [String], waits: Bool)
  case tamper(TamperCopies.Fault, count: Int, devices: [String])
  case breakSync(dropUpdates: Int, catchUp: Bool, devices: [String])
  case server(ProcessVerb)
  case client(Int, ProcessVerb)
  case settle
  case note(String)
  /// `within` is how long it may take to come true.
  case expect(ScenarioExpectation, within: Duration)
}
