package import Foundation
package import Shared

extension SigningJob {
  /// The JSON that is signed.
  package func payload() throws(SigningError) -> Data {
    let identity = StoreIdentity(bundleId: bundleId, environment: environment)
    let binding = try device.map { binding throws(SigningError) in
      try DeviceVerification(nonce: binding.nonce, deviceID: binding.deviceVerificationId)
    }
    switch subject {
    case .transaction(let record):
      return TransactionPayload(record, identity: identity, signedDate: signedDate, device: binding).json()
    case .renewalInfo(let info):
      return RenewalInfoPayload(info, identity: identity, signedDate: signedDate, device: binding).json()
    case .appTransaction(let id):
      return AppTransactionPayload(
        appTransactionId: id, identity: identity, signedDate: signedDate, device: binding
      ).json()
    }
  }
}
