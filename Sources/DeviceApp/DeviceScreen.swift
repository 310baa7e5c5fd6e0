package import Wire

/// What an app shows its user.
public struct DeviceScreen: Hashable, Sendable {
  public enum Access: String, Hashable, Sendable {
    /// Not known yet: neither lock nor unlock.
    case unknown
    case locked
    case unlocked
  }

  public enum Phase: String, Hashable, Sendable {
    /// Nothing is being bought; also after a purchase that the user cancelled.
    case idle
    case purchasing
    case awaitingApproval
    case completed
    case failed
  }

  public enum RestoreOutcome: String, Hashable, Sendable {
    case restored
    case nothingToRestore
    case failed
    case cancelled
  }

  public var access: Access
  /// The products that the app believes its user may use.
  public var entitled: [String]
  /// Of these, the ones that family members share.
  public var familyShared: [String]
  /// Where the last purchase stands.
  public var phase: Phase
  /// How the last restore ended.
  public var restore: RestoreOutcome?
  /// What the app tells its user about a failure.
  public var message: String?

  public init(
    access: Access = .unknown, entitled: [String] = [], familyShared: [String] = [], phase: Phase = .idle,
    restore: RestoreOutcome? = nil, message: String? = nil
  ) {
    self.access = access
    self.entitled = entitled
    self.familyShared = familyShared
    self.phase = phase
    self.restore = restore
    self.message = message
  }
}

extension AppScreen.Access {
  init(_ access: DeviceScreen.Access) {
    self =
      switch access {
      case .unknown: .unknown
      case .locked: .locked
      case .unlocked: .unlocked
      }
  }
}

extension AppScreen {
  package init(_ screen: DeviceScreen) {
    self.init(
      access: Access(screen.access), entitled: screen.entitled, familyShared: screen.familyShared,
      phase: screen.phase.rawValue, restore: screen.restore?.rawValue, message: screen.message)
  }
}
