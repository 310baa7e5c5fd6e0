import Foundation
import Shared
import Synchronization
import Wire

@testable import Fleet

/// A fleet that answers as a test says, keeps what it was asked, and changes when a request of some name arrives.
final class FakeFleet: FleetDriver {
  struct State: Sendable {
    var asked: [String] = []
    var reports: [String: DeviceReport] = [:]
    var journals: [String: [ReadJournal.Entry]] = [:]
    var members: [String] = []
    var notifications: [NotificationEntry] = []
    var entitlements: [UserEntitlement] = []
    /// The phase that the next purchase on a device ends in.
    var phase = "completed"
    /// How many requests to settle are left without an answer until they are cancelled.
    var settlesWithoutEnd = 0
    private var settlesAsked = 0
    /// Whether the driver throws at once, as that of a killed server does.
    var isDead = false
    /// By the request's name.
    var errors: [String: WireError] = [:]

    mutating func takeSettleWithoutEnd() -> Bool {
      settlesAsked += 1
      // The first is the end of the setting up.
      guard settlesAsked > 1, settlesWithoutEnd > 0 else { return false }
      settlesWithoutEnd -= 1
      return true
    }
  }

  /// Runs after a request of this name has been answered, the first time only.
  private let reactions: Mutex<[String: @Sendable (inout State) -> Void]>
  private let state: Mutex<State>
  private let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])

  init(_ state: State = State(), after reactions: [String: @Sendable (inout State) -> Void] = [:]) {
    self.state = Mutex(state)
    self.reactions = Mutex(reactions)
  }

  /// What was asked, in order, without the looking around.
  var acts: [String] {
    let looks = ["inspect", "readJournal", "describeWorld", "settle", "describeFamily", "getEntitlements"]
    return state.withLock { $0.asked }.filter { line in !looks.contains { line.hasPrefix($0 + " ") } }
  }

  private func log(_ line: String) { state.withLock { $0.asked.append(line) } }

  func startClients(_ devices: [[DeviceRegistration]]) async throws {
    log("clients " + devices.map { $0.map(\.device).joined(separator: ",") }.joined(separator: " | "))
    state.withLock { state in
      for registration in devices.flatMap(\.self) {
        state.reports[registration.device] = FakeFleet.report(registration.device, registration.account)
      }
    }
  }

  static func report(_ device: String, _ account: String) -> DeviceReport {
    DeviceReport(
      device: device, account: account, incarnation: nil, online: true, epoch: 1, sequence: 0, unfinished: [],
      updates: [], screen: nil)
  }

  func server(_ verb: ScenarioAction.ProcessVerb) async throws { log("server \(verb.rawValue)") }

  func client(_ number: Int, _ verb: ScenarioAction.ProcessVerb) async throws {
    log("client \(number) \(verb.rawValue)")
  }

  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    listeners.withLock { $0.append(continuation) }
    return stream
  }

  func ask<R: Request>(_ request: R, of address: ActorAddress, attachments: [Data]) async throws -> R.Reply {
    log("\(R.name) \(address) \(String(decoding: WireJSON.encode(request), as: UTF8.self))")
    if state.withLock({ $0.isDead }) { throw FleetError("the server does not run") }
    if let error = state.withLock({ $0.errors[R.name] }) { throw error }
    if let told = ToldDevices(devices: 1) as? R.Reply { return told }
    if request is Settle, state.withLock({ $0.takeSettleWithoutEnd() }) {
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
    let reply = state.withLock { answer(request, address, &$0) }
    if let reaction = reactions.withLock({ $0.removeValue(forKey: R.name) }) {
      state.withLock { reaction(&$0) }
      for listener in listeners.withLock({ $0 }) { listener.yield() }
    }
    guard let reply = reply as? R.Reply else {
      throw WireError(.unknownName, "the fake fleet has no answer to \(R.name)")
    }
    return reply
  }

  private func answer(_ request: any Request, _ address: ActorAddress, _ state: inout State) -> Any? {
    let now = Ledger.day("2026-02-01")
    switch request {
    case is CreateWorld, is DescribeWorld:
      return WorldDescription(
        world: address.world, bundleId: "com.example.app", environment: "Sandbox", storefront: "USA", currency: "USD",
        epoch: 1, now: now, clock: .real, timeRate: .realTime, rootCertificate: Data(), catalog: "")
    case is RequestTestNotification: return RequestTestNotification.Reply(testNotificationToken: "t_1")
    case is ListNotifications:
      return ListNotifications.Reply(notifications: state.notifications, hasMore: false)
    case is OpenAccount, is CreateFamily, is JoinFamily, is LeaveFamily, is SetSharing: return Done()
    case is SetAppHidden, is SetPurchaseSharing, is SetFamilyShareable, is ResetWorld, is SetTimeRate,
      is SetInterruptedPurchases, is SetNetworkFaults, is SetHabits,
      is SetNotificationURL, is SetNotificationFault:
      return Done()
    case is Refund, is RequestRefund, is DeclineRefund, is ReverseRefund, is AnswerAskToBuy, is SetAutoRenew,
      is SetBilling, is ResolveIssue,
      is RequestPriceIncrease, is AnswerPriceIncrease, is ExtendSubscription, is SendConsumptionInformation,
      is SetAppAccountToken, is SetStorefront, is ResetAccount:
      return AccountPosition(account: address, epoch: 1, sequence: 1)
    case is Purchase, is RedeemCode:
      let position = AccountPosition(account: address, epoch: 1, sequence: 1)
      return Purchase.Reply(outcome: .purchased(TransactionID(1)), position: position)
    case is AdvanceClock: return AdvanceClock.Reply(now: now)
    case is Settle: return Settle.Reply(now: now)
    case is TapBuy: return TapBuy.Reply(phase: state.phase, message: state.phase == "failed" ? "no money" : nil)
    case is TapRestore: return TapRestore.Reply(outcome: "restored")
    case let request as ReadJournal:
      let entries = (state.journals[address.key] ?? []).filter { $0.sequence > request.after }
      return ReadJournal.Reply(epoch: 1, events: Array(entries.prefix(request.limit)))
    case is DescribeFamily: return DescribeFamily.Reply(organizer: "alice", members: state.members)
    case is GetEntitlements: return GetEntitlements.Reply(entitlements: state.entitlements)
    case is LaunchDevice:
      state.reports[address.key]?.incarnation = 1
      state.reports[address.key]?.screen = AppScreen(access: .locked)
      return state.reports[address.key]
    case is KillDevice:
      state.reports[address.key]?.incarnation = nil
      return state.reports[address.key]
    default: return state.reports[address.key]
    }
  }
}

/// A clock on which every sleep is over at once.
struct ImpatientClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
