import ClientNode
public import Foundation

/// The store itself.
///
/// Apple: https://developer.apple.com/documentation/storekit/appstore
public enum AppStore: Sendable {
  /// Whether the customer may buy. Ask to Buy does not change it: who must ask may still try.
  public static var canMakePayments: Bool { CurrentDevice.orNothing()?.canMakePayments ?? false }

  /// What the store binds signed data to this device with.
  public static var deviceVerificationID: UUID? { CurrentDevice.orNothing()?.device.deviceVerificationId }

  /// Asks the store for everything anew: what a restore button does.
  /// - Throws: `StoreKitError`.
  public static func sync() async throws {
    let daemon = try CurrentDevice.orThrow()
    do {
      try await daemon.sync()
    } catch {
      throw StoreKitError(error)
    }
  }

  public struct Environment: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let production = Environment(rawValue: "Production")
    public static let sandbox = Environment(rawValue: "Sandbox")
    public static let xcode = Environment(rawValue: "Xcode")
  }

  public struct Platform: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let iOS = Platform(rawValue: "iOS")
    public static let macOS = Platform(rawValue: "macOS")
    public static let tvOS = Platform(rawValue: "tvOS")
    public static let visionOS = Platform(rawValue: "visionOS")
  }

  /// Nil: a world gives its app no age rating.
  public static var ageRatingCode: Int? {
    get async { nil }
  }
}
