import Foundation
import Shared

/// Texts with the shape of a JWS. Their signature says nothing: it is the daemon that verifies, not StoreKit.
enum JWS {
  static let identity = StoreIdentity(bundleId: "com.example.app", environment: "Sandbox")
  static let signedDate = StoreTime(milliseconds: 1_790_000_000_123)

  static func of(_ record: TransactionRecord, device: DeviceVerification? = nil) -> String {
    text(TransactionPayload(record, identity: identity, signedDate: signedDate, device: device).json())
  }

  static func of(_ info: RenewalInfo) -> String {
    text(RenewalInfoPayload(info, identity: identity, signedDate: signedDate).json())
  }

  static func appTransaction(device: DeviceVerification? = nil) -> String {
    text(
      AppTransactionPayload(
        appTransactionId: "704000000000000001", identity: identity, signedDate: signedDate, device: device
      ).json())
  }

  static func text(_ payload: Data) -> String {
    let parts = [Data(#"{"alg":"ES256"}"#.utf8), payload, Data(repeating: 7, count: 64)]
    return parts.map(Base64URL.encode).joined(separator: ".")
  }
}
