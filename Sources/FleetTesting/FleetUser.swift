public import Foundation
import Shared
import Wire

/// A user of the app, as the developer's backend knows one: by an `appAccountToken`.
///
/// Purchases that a device makes while the user is signed in carry the token, and what the device has is claimed for it.
public struct FleetUser: Sendable {
  /// What the user has of one purchase or subscription.
  public struct Entitlement: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable {
      case trial, active, grace, billingRetry, expired, revoked
    }

    public let productID: String
    /// Whether the user may use the product now. A consumable is granted, and entitles to nothing.
    public let isEntitled: Bool
    public let status: Status
    public let quantity: Int
    /// The account that has bought it, or that shares it with its family.
    public let account: String
    public let isFamilyShared: Bool
    public let originalTransactionID: UInt64
    /// The latest transaction.
    public let transactionID: UInt64
    public let expirationDate: Date?
    /// Nil for what does not renew.
    public let willAutoRenew: Bool?

    init(_ entitlement: UserEntitlement) {
      productID = entitlement.productId
      isEntitled = entitlement.isEntitled
      status =
        switch entitlement.status {
        case .trial: .trial
        case .active: .active
        case .grace: .grace
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
      quantity = entitlement.quantity
      account = entitlement.account
      isFamilyShared = entitlement.ownership == .familyShared
      originalTransactionID = entitlement.originalTransactionId.rawValue
      transactionID = entitlement.transactionId.rawValue
      expirationDate = entitlement.expiresDate?.date
      willAutoRenew = entitlement.willAutoRenew
    }
  }

  let fleet: Fleet
  public let token: UUID

  /// What the App Store tells the developer's backend of this user now.
  public func entitlements() async throws -> [Entitlement] {
    try await fleet.tell(GetEntitlements(), address).entitlements.map(Entitlement.init)
  }

  /// Waits until the backend hears what is wanted.
  ///
  /// - Returns: the first answer that is as wanted.
  /// - Throws: an `UnmetExpectation` with what was heard last.
  @discardableResult
  public func expect(
    _ what: String = "as expected", within deadline: Duration? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ isWanted: @escaping @Sendable ([Entitlement]) -> Bool
  ) async throws -> [Entitlement] {
    try await fleet.until("user \(token): \(what)", within: deadline, file: file, line: line) {
      let heard = try await fleet.ask(GetEntitlements(), of: address).entitlements.map(Entitlement.init)
      let text = heard.map { "\($0.productID) \($0.status.rawValue)" }.joined(separator: ", ")
      return isWanted(heard) ? .found(heard) : .notYet(heard.isEmpty ? "the user has nothing" : text)
    }
  }

  /// Waits until the backend hears that the user may use exactly these products.
  public func expect(
    entitledTo products: Set<String>, within deadline: Duration? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    let list = products.isEmpty ? "nothing" : products.sorted().joined(separator: ", ")
    try await expect("may use \(list)", within: deadline, file: file, line: line) {
      Set($0.filter(\.isEntitled).map(\.productID)) == products
    }
  }

  private var address: ActorAddress { fleet.address(.user, token.uuidString.lowercased()) }
}
