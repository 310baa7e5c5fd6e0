import Wire

/// A family of a fleet: up to six accounts.
public struct FleetFamily: Sendable {
  let fleet: Fleet
  public let name: String

  /// Makes the family, with its organiser as the first member.
  public func create(organizer: String) async throws { try await tell(CreateFamily(organizer: organizer)) }

  /// An account joins, and gets what others share.
  public func join(_ account: String) async throws { try await tell(JoinFamily(account: account)) }

  /// A member leaves; what others shared with it goes, and what it shared with others. With the organiser everybody
  /// leaves, and the family ends.
  public func leave(_ account: String) async throws { try await tell(LeaveFamily(account: account)) }

  /// The members, the organiser included.
  public func members() async throws -> [String] {
    try await fleet.tell(DescribeFamily(), address).members
  }

  /// Whether a member shares what it has bought of a product.
  public func setSharing(_ productID: String, of account: String, on: Bool) async throws {
    try await tell(SetSharing(account: account, productId: productID, on: on))
  }

  /// Whether a member hides the app among its purchases: its non-consumables are then not shared.
  public func hideApp(of account: String, _ hidden: Bool = true) async throws {
    try await tell(SetAppHidden(account: account, hidden: hidden))
  }

  /// Whether the organiser has purchase sharing on: without it no non-consumable is shared.
  public func setPurchaseSharing(on: Bool) async throws { try await tell(SetPurchaseSharing(on: on)) }

  private var address: ActorAddress { fleet.address(.family, name) }

  private func tell(_ message: some Request) async throws { _ = try await fleet.tell(message, address) }
}
