public import Foundation
import Fleet
import Shared
import Wire

/// What happens to the App Store as a whole.
extension Fleet {
  /// Changes what the world does where Apple leaves it open. Every device that is reachable knows it when this returns.
  public func setHabits(_ habits: FleetHabits) async throws {
    _ = try await tell(SetHabits(try habits.checked()), world)
  }

  /// Whether all purchases are pending until `FleetAccount.resolve`.
  public func interruptPurchases(_ interrupts: Bool) async throws {
    _ = try await tell(SetInterruptedPurchases(on: interrupts), world)
  }

  /// A product is shared with families from now on, for ever. Who subscribes already has to share it first.
  public func makeFamilyShareable(_ productID: String) async throws {
    _ = try await tell(SetFamilyShareable(productId: productID), world)
  }

  /// Forgets everything that was bought, families and users too. Settings, accounts and the clock stay. Nothing of it is
  /// announced: an app sees it when it reads again, at its next launch for example.
  public func reset() async throws { _ = try await tell(ResetWorld(), world) }

  /// The key with which the developer's server signs offers of this world.
  public struct OfferKey: Hashable, Sendable {
    public let id: String
    /// PKCS #8, PEM.
    public let privateKey: String
  }

  public func offerKey() async throws -> OfferKey {
    let reply = try await tell(DescribeOfferKeys(), world)
    return OfferKey(id: reply.keyId, privateKey: reply.privateKey)
  }

  /// The root certificate (DER) under which everything that this world signs can be verified.
  public func rootCertificate() async throws -> Data { try await tell(DescribeWorld(), world).rootCertificate }

  /// The base of the App Store Server API's URLs, for the tests of a backend; nil unless `Fleet.run(servesHTTP: true)`.
  public var serverURL: URL? {
    get async { await processes.endpoints?.http.flatMap { URL(string: $0) } }
  }

  /// What the App Store sells.
  func catalog() async throws -> Catalog {
    let text = try await tell(DescribeWorld(), world).catalog
    return try FleetTestingError.translatingCatalog { try Catalog(data: Data(text.utf8), file: "the catalogue") }
  }
}
