package import Foundation
package import Shared
import Wire

extension SigningJob {
  /// The signed copy: a compact JWS. A notification has more of them inside.
  package func signed(by signer: JWSSigner) throws(SigningError) -> Data {
    try signer.sign(try payload(by: signer)).bytes
  }

  /// The JSON that is signed.
  private func payload(by signer: JWSSigner) throws(SigningError) -> Data {
    let binding = try device.map { binding throws(SigningError) in
      try DeviceVerification(nonce: binding.nonce, deviceID: binding.deviceVerificationId)
    }
    switch subject {
    case .transaction(let record): return payload(of: record, binding)
    case .renewalInfo(let info): return payload(of: info, binding)
    case .notification(let notification, let uuid): return try payload(of: notification, uuid, by: signer)
    case .appTransaction(let id):
      return AppTransactionPayload(
        appTransactionId: id, identity: identity, signedDate: signedDate, device: binding
      ).json()
    }
  }

  private var identity: StoreIdentity { StoreIdentity(bundleId: bundleId, environment: environment) }

  private func payload(of record: TransactionRecord, _ device: DeviceVerification? = nil) -> Data {
    var payload = TransactionPayload(record, identity: identity, signedDate: signedDate, device: device)
    if isSparse { payload.leaveOutOptional() }
    return payload.json()
  }

  private func payload(of info: RenewalInfo, _ device: DeviceVerification? = nil) -> Data {
    RenewalInfoPayload(info, identity: identity, signedDate: signedDate, device: device).json()
  }

  private func payload(
    of notification: StoreNotification, _ uuid: UUID, by signer: JWSSigner
  ) throws(SigningError) -> Data {
    var content: NotificationPayload.Content
    if let summary = notification.summary {
      content = .summary(summary)
    } else {
      var data = NotificationData()
      if let record = notification.transaction {
        data.bundleVersion = SigningJob.bundleVersion
        data.signedTransactionInfo = try text(payload(of: record), by: signer)
      }
      if let info = notification.renewalInfo {
        data.signedRenewalInfo = try text(payload(of: info), by: signer)
        data.status = info.status.rawValue
      }
      data.consumptionRequestReason = notification.consumptionRequestReason?.rawValue
      content = .data(data)
    }
    return NotificationPayload(
      type: notification.type, subtype: notification.subtype, notificationUUID: uuid, signedDate: signedDate,
      identity: identity, appAppleId: identity.appAppleId, content: content
    ).json()
  }

  /// A world knows no builds of its app.
  private static let bundleVersion = "1"

  private func text(_ payload: Data, by signer: JWSSigner) throws(SigningError) -> String {
    String(decoding: try signer.sign(payload).bytes, as: UTF8.self)
  }
}
