import Shared
import Wire

/// What a phone is like, and what its app shows its user.
public struct DeviceLook: Hashable, Sendable {
  public enum Access: String, Hashable, Sendable {
    /// Not known yet.
    case unknown
    case locked
    case unlocked
  }

  public enum RestoreOutcome: String, Hashable, Sendable {
    case restored, nothingToRestore, failed, cancelled
  }

  /// Where a purchase stands.
  public enum Phase: String, Hashable, Sendable {
    case idle, purchasing, awaitingApproval, completed, failed
  }

  /// An element that came through the app's `Transaction.updates` in this launch.
  public struct Update: Hashable, Sendable {
    public let productID: String
    public let transactionID: UInt64
    public let isRevoked: Bool
    /// Why it was not verified; nil when it was.
    public let verificationError: String?
  }

  public let device: String
  /// The number of this launch, from 1; nil when the app does not run.
  public let launch: UInt64?
  public let isOnline: Bool
  /// Whether the app locks or unlocks, or does not know yet.
  public let access: Access
  /// The products that the app believes its user may use.
  public let unlocked: Set<String>
  /// Of these, the ones that family members share.
  public let familyShared: Set<String>
  /// Where the last purchase stands.
  public let phase: Phase
  /// How the last restore ended; nil when the app does not say.
  public let restore: RestoreOutcome?
  /// What the app tells its user beside that.
  public let message: String?
  /// The transactions that the phone holds unfinished.
  public let unfinished: [UInt64]
  public let updates: [Update]
  /// What waits at the gates that are held, for people: products, or what is asked for.
  public let waiting: [FleetDevice.Gate: [String]]

  /// The parts of StoreKit that a test makes fail.
  public let failing: Set<StoreKitCall>
  /// Whether the network to the App Store is as a test has not spoiled it.
  public let hasGoodNetwork: Bool
  /// What parental controls say.
  public let allowsPurchases: Bool

  public var isRunning: Bool { launch != nil }

  init(_ report: DeviceReport) {
    device = report.device
    launch = report.incarnation
    isOnline = report.online
    access = report.screen.flatMap { Access(rawValue: $0.access.rawValue) } ?? .unknown
    unlocked = Set(report.screen?.entitled ?? [])
    familyShared = Set(report.screen?.familyShared ?? [])
    phase = report.screen.flatMap { Phase(rawValue: $0.phase) } ?? .idle
    restore = report.screen?.restore.flatMap(RestoreOutcome.init)
    message = report.screen?.message
    unfinished = report.unfinished.map(\.rawValue)
    updates = report.updates.map {
      Update(
        productID: $0.productId, transactionID: $0.transactionId.rawValue, isRevoked: $0.revoked,
        verificationError: $0.unverified)
    }
    failing = Set((report.faults?.errors ?? []).compactMap { StoreKitCall(rawValue: $0.api.rawValue) })
    hasGoodNetwork = report.faults?.network == nil
    allowsPurchases = report.faults?.purchasesAllowed ?? true
    let gates = report.faults?.gates ?? []
    waiting = Dictionary(
      gates.compactMap { held in FleetDevice.Gate(rawValue: held.gate.rawValue).map { ($0, held.waiting) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension DeviceLook: CustomStringConvertible {
  public var description: String {
    guard isRunning else { return "\(device) is off" }
    func list(_ names: some Collection<String>) -> String {
      names.isEmpty ? "nothing" : names.sorted().joined(separator: ", ")
    }
    var parts = ["\(device) is \(isOnline ? "online" : "offline")", "its app shows \(access.rawValue)"]
    parts.append("may use \(list(unlocked))")
    if phase != .idle { parts.append("purchase \(phase.rawValue)") }
    if let restore { parts.append("restore \(restore.rawValue)") }
    if let message { parts.append("says '\(message)'") }
    if !unfinished.isEmpty { parts.append("\(unfinished.count) unfinished") }
    if !updates.isEmpty {
      parts.append("saw \(updates.map { $0.productID + ($0.isRevoked ? " revoked" : "") }.joined(separator: ", "))")
    }
    for (gate, calls) in waiting.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where !calls.isEmpty {
      parts.append("\(list(calls)) waits at \(gate.rawValue)")
    }
    if !failing.isEmpty { parts.append("\(list(failing.map(\.rawValue))) made to fail") }
    if !hasGoodNetwork { parts.append("its network is bad") }
    if !allowsPurchases { parts.append("may not buy") }
    return parts.joined(separator: "; ")
  }
}
