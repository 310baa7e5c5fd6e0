import Synchronization
import Wire

/// The family of the session's own account, which is its organiser. Beyond Apple, whose tests have none.
///
/// `clearTransactions()` dissolves it; the devices of former members stay.
public struct SKTestFamily: Sendable {
  let world: TestWorld

  /// The accounts of the others.
  public var members: [String] { world.state.withLock { $0.members } }

  /// Somebody joins, with a device of the same name.
  /// - Parameter asksToBuy: whether purchases of this member wait for `approveAskToBuyTransaction(identifier:)`.
  @discardableResult
  public func add(_ member: String, asksToBuy: Bool = false) throws -> SKTestDevice {
    let device = try world.device(named: member, account: member, asksToBuy: asksToBuy)
    guard device.account == member else {
      throw SKTestError(
        .invalidAction, "'\(member)' is a device of the account '\(device.account)': choose another name")
    }
    if members.isEmpty { try world.tell(CreateFamily(organizer: TestWorld.ownAccount), world.family) }
    try world.tell(JoinFamily(account: member), world.family)
    world.state.withLock { $0.members.append(member) }
    return device
  }

  /// A member leaves: what it got from the others goes, and what they got from it. With the session's own account, the
  /// organiser, everybody leaves.
  public func remove(_ member: String) throws {
    try world.tell(LeaveFamily(account: member), world.family)
    world.state.withLock { $0.members.removeAll { $0 == member || member == TestWorld.ownAccount } }
  }

  /// The product can be shared from now on (App Store Connect: Turn on Family Sharing), though the file says otherwise.
  public func turnOnSharing(ofProduct productIdentifier: String) throws {
    try world.tell(SetFamilyShareable(productId: productIdentifier), world.world)
  }

  /// A member shares a purchase with the others, or stops; nil for the session's own account.
  public func setSharing(_ on: Bool, ofProduct productIdentifier: String, by member: String? = nil) throws {
    try world.tell(
      SetSharing(account: member ?? TestWorld.ownAccount, productId: productIdentifier, on: on), world.family)
  }
}

extension SKTestSession {
  public var family: SKTestFamily { SKTestFamily(world: world) }
}
