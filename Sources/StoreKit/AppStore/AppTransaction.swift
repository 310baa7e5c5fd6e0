import ClientNode
public import Foundation
import Shared

/// That this account has this app, as the store signed it.
///
/// Apple: https://developer.apple.com/documentation/storekit/apptransaction
public struct AppTransaction: Sendable {
  let content: AppTransactionContent
  private var payload: AppTransactionPayload { content.payload }

  /// The payload's JSON.
  public var jsonRepresentation: Data { content.json }

  /// Nil outside production.
  public var appID: UInt64? { payload.appAppleId.flatMap { UInt64(exactly: $0) } }
  public var appTransactionID: String { payload.appTransactionId }
  public var appVersion: String { payload.applicationVersion }
  public var appVersionID: UInt64? { payload.versionExternalIdentifier.flatMap { UInt64(exactly: $0) } }
  public var bundleID: String { payload.bundleId }
  public var environment: AppStore.Environment { AppStore.Environment(rawValue: payload.receiptType) }
  /// In the sandbox always `1.0`.
  public var originalAppVersion: String { payload.originalApplicationVersion }
  public var originalPurchaseDate: Date { payload.originalPurchaseDate.date }
  public var originalPlatform: AppStore.Platform { AppStore.Platform(rawValue: originalPlatformStringRepresentation) }
  public var originalPlatformStringRepresentation: String { payload.originalPlatform ?? "unknown" }
  public var preorderDate: Date? { payload.preorderDate?.date }
  /// Binds the payload to this device; empty when it does not.
  public var deviceVerification: Data { Data(deviceVerification: payload.deviceVerification) }
  public var deviceVerificationNonce: UUID { UUID(deviceVerificationNonce: payload.deviceVerificationNonce) }
  public var signedDate: Date { payload.receiptCreationDate.date }

  /// The one that the device has; asks the store when it has none. Waits until the device knows what the account owns,
  /// also where the entitlements do not: that is how a careful app knows that it has nothing.
  /// - Throws: `StoreKitError`, such as for a device that is offline and never had one.
  public static var shared: VerificationResult<AppTransaction> {
    get async throws {
      try await AppStore.load()
      return try await load(refresh: false)
    }
  }

  /// Asks the store for a new one. Apple asks the customer to sign in first, so it is for a button.
  public static func refresh() async throws -> VerificationResult<AppTransaction> { try await load(refresh: true) }

  private static func load(refresh: Bool) async throws -> VerificationResult<AppTransaction> {
    let daemon = try CurrentDevice.orThrow()
    do {
      let signed = try await daemon.appTransaction(refresh: refresh)
      let content = AppTransactionContent(signed, device: daemon.device)
      return VerificationResult(AppTransaction(content: content), failure: signed.failure)
    } catch {
      throw StoreKitError(error)
    }
  }
}

extension AppTransaction: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.payload == right.payload }
  public func hash(into hasher: inout Hasher) { hasher.combine(payload) }
}

extension AppTransaction: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
