import ClientNode
import Foundation
import Shared

/// What an `AppTransaction` holds, shared by its copies.
final class AppTransactionContent: Sendable {
  let payload: AppTransactionPayload
  let signed: SignedData
  private let isDecoded: Bool

  init(_ transaction: SignedAppTransaction, device: DeviceIdentity) {
    signed = SignedData(text: transaction.jws)
    let decoded = signed.payload(as: AppTransactionPayload.self)
    isDecoded = decoded != nil
    // One that cannot be read is shown with what the device knows.
    payload =
      decoded
      ?? AppTransactionPayload(
        appTransactionId: "", identity: StoreIdentity(device), signedDate: StoreTime(milliseconds: 0))
  }

  var json: Data { isDecoded ? signed.payloadData : payload.json() }
}
