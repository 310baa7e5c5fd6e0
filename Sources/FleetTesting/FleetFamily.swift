import Wire

/// A family of a fleet.
public struct FleetFamily: Sendable {
  let fleet: Fleet
  public let name: String

  public func join(_ account: String) async throws { try await tell(JoinFamily(account: account)) }
  public func leave(_ account: String) async throws { try await tell(LeaveFamily(account: account)) }

  /// Whether a member shares what it has bought of a product.
  public func setSharing(_ productID: String, of account: String, on: Bool) async throws {
    try await tell(SetSharing(account: account, productId: productID, on: on))
  }

  private func tell(_ message: some Request) async throws {
    _ = try await fleet.tell(message, fleet.address(.family, name))
  }
}
