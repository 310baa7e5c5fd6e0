import Fleet
public import Foundation
import Shared
package import Wire

/// A simulated phone of a fleet, and the person who holds it.
public struct FleetDevice: FleetActor {
  let fleet: Fleet
  public let name: String

  package var address: ActorAddress { fleet.address(.device, name) }

  // MARK: Taps

  /// How a purchase ended, as the app shows it.
  public enum PurchaseOutcome: String, Hashable, Sendable {
    case completed, awaitingApproval, cancelled, failed
    /// The app goes on with it.
    case started
  }

  /// Taps the app's buy button, and waits until the purchase is over or waits for approval.
  @discardableResult
  public func buy(_ productID: String, quantity: Int = 1) async throws -> PurchaseOutcome {
    let reply = try await tell(TapBuy(productId: productID, quantity: quantity))
    return PurchaseOutcome(rawValue: reply.phase) ?? .started
  }

  /// Taps the app's buy button, and does not wait.
  public func startBuying(_ productID: String, quantity: Int = 1) async throws {
    _ = try await tell(TapBuy(productId: productID, quantity: quantity, wait: false))
  }

  /// Taps the app's restore button.
  ///
  /// - Throws: when the app does not tell its user how it ended.
  @discardableResult
  public func restore() async throws -> DeviceLook.RestoreOutcome {
    let reply = try await tell(TapRestore())
    guard let outcome = DeviceLook.RestoreOutcome(rawValue: reply.outcome) else {
      throw FleetTestingError("\(name): the restore ended as '\(reply.outcome)', which is nothing known")
    }
    // An app that shows nothing of it has not failed to restore, but to say so.
    if outcome == .failed, try await look().restore == nil {
      throw FleetTestingError("\(name): \(reply.message ?? "the app does not say how the restore ended")")
    }
    return outcome
  }

  /// Taps the app's restore button, and does not wait.
  public func startRestoring() async throws { _ = try await tell(TapRestore(wait: false)) }

  /// Signs a user of the app in, whose token goes with purchases; nil signs out.
  public func signIn(user: UUID?) async throws { _ = try await tell(SignInUser(appAccountToken: user)) }

  /// Signs a user of the app in, whose token goes with purchases.
  public func signIn(_ user: FleetUser) async throws { try await signIn(user: user.token) }

  // MARK: The phone

  /// Starts the app. One in a process of its own starts with a fresh process.
  public func launch() async throws { _ = try await tell(LaunchDevice()) }

  /// Ends the app at once, as the system does. One in a process of its own dies with its process.
  public func kill() async throws { _ = try await tell(KillDevice()) }

  /// Airplane mode, and back.
  public func goOffline() async throws { _ = try await tell(SetOnline(online: false)) }
  public func goOnline() async throws { _ = try await tell(SetOnline(online: true)) }

  /// Sets the phone's clock ahead of the world's, or behind it; for apps in a process of their own.
  public func skewClock(by duration: Duration) async throws {
    _ = try await tell(SetSkew(milliseconds: duration.wholeMilliseconds))
  }

  // MARK: Looking

  /// What the phone is like now.
  public func look() async throws -> DeviceLook { DeviceLook(try await tell(InspectDevice())) }

  /// Waits until the phone is as wanted.
  ///
  /// - Parameters:
  ///   - what: what is expected, for the failure's text.
  ///   - deadline: how long it may take; the fleet's patience when nil.
  /// - Returns: the first look that is as wanted.
  /// - Throws: an `UnmetExpectation` with what was seen last, and the account's timeline.
  @discardableResult
  public func expect(
    _ what: String = "as expected", within deadline: Duration? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ isWanted: @escaping @Sendable (DeviceLook) -> Bool
  ) async throws -> DeviceLook {
    try checkName()
    return try await fleet.until("\(name): \(what)", about: account, within: deadline, file: file, line: line) {
      let look = DeviceLook(try await fleet.ask(InspectDevice(), of: address))
      return isWanted(look) ? .found(look) : .notYet("\(look)")
    }
  }

  private var account: String? { fleet.seats.first { $0.device == name }?.account }

  func tell<Message: Request>(_ message: Message) async throws -> Message.Reply {
    try checkName()
    return try await fleet.tell(message, address)
  }

  /// A misspelt name is told at once, not after the patience for a device that will never be there.
  private func checkName() throws(FleetTestingError) {
    let names = fleet.seats.map(\.device)
    guard !names.contains(name) else { return }
    let advice = Spelling.closest(to: name, among: names).map { "did you mean '\($0)'?" }
    let all = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
    throw FleetTestingError("the fleet has no device '\(name)': \(advice ?? all)")
  }
}
