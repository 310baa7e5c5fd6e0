package import Foundation

/// What the store signs about the app that an account has. Keys and types: Apple, JWSAppTransactionDecodedPayload.
package struct AppTransactionPayload: Hashable, Sendable, Codable {
  /// The environment, such as `Sandbox`.
  package var receiptType: String
  /// The app's number in the App Store; only in production.
  package var appAppleId: Int64?
  package var bundleId: String
  package var applicationVersion: String
  package var versionExternalIdentifier: Int64?
  /// When it was signed.
  package var receiptCreationDate: StoreTime
  package var originalPurchaseDate: StoreTime
  /// Xcode's alone: when it was asked for.
  package var requestDate: StoreTime?
  package var originalApplicationVersion: String
  package var preorderDate: StoreTime?
  package var appTransactionId: String
  package var originalPlatform: String?
  package var deviceVerification: String?
  package var deviceVerificationNonce: String?

  package init(
    appTransactionId: String, identity: StoreIdentity, signedDate: StoreTime, device: DeviceVerification? = nil
  ) {
    receiptType = identity.environment
    bundleId = identity.bundleId
    applicationVersion = Self.version
    receiptCreationDate = signedDate
    let isXcode = identity.environment == StoreIdentity.xcode
    originalPurchaseDate = isXcode ? Self.xcodePurchaseDate : Self.sandboxPurchaseDate
    requestDate = isXcode ? signedDate : nil
    originalApplicationVersion = Self.version
    self.appTransactionId = appTransactionId
    originalPlatform = "iOS"
    deviceVerification = device?.digest.base64EncodedString()
    deviceVerificationNonce = device?.nonce.uuidString.lowercased()
  }

  // Apple's sandbox says the same of every app. Source: Apple, AppTransaction.originalAppVersion and
  // originalPurchaseDate.
  private static let version = "1.0"
  private static let sandboxPurchaseDate = StoreTime(milliseconds: 1_375_340_400_000)
  /// As Xcode signs it: the first day of the year 1.
  private static let xcodePurchaseDate = StoreTime(milliseconds: -62_135_769_600_000)

  /// The JSON that is signed.
  package func json() -> Data {
    var json = JSONObjectWriter(capacity: 512)
    json.timesHaveFractions = receiptType == StoreIdentity.xcode
    json.put("receiptType", receiptType)
    json.put("appAppleId", appAppleId)
    json.put("bundleId", bundleId)
    json.put("applicationVersion", applicationVersion)
    json.put("versionExternalIdentifier", versionExternalIdentifier)
    json.put("receiptCreationDate", receiptCreationDate)
    // Xcode's, which is no moment that a clock has shown, has no fraction.
    json.put("originalPurchaseDate", originalPurchaseDate.milliseconds)
    json.put("requestDate", requestDate)
    json.put("originalApplicationVersion", originalApplicationVersion)
    json.put("preorderDate", preorderDate)
    json.put("appTransactionId", appTransactionId)
    json.put("originalPlatform", originalPlatform)
    json.put("deviceVerification", deviceVerification)
    json.put("deviceVerificationNonce", deviceVerificationNonce)
    return json.finish()
  }
}
