import ClientNode
import Foundation
import Shared

/// What a `Transaction` holds, shared by its copies.
final class TransactionContent: Sendable {
  let payload: TransactionPayload
  let signed: SignedData
  /// The device's own record.
  let recordId: TransactionID
  let daemon: any StoreDaemon
  private let isDecoded: Bool

  init(_ transaction: SignedTransaction, on daemon: any StoreDaemon) {
    self.daemon = daemon
    recordId = transaction.record.transactionId
    signed = SignedData(text: transaction.jws)
    let decoded = signed.payload(as: TransactionPayload.self)
    isDecoded = decoded != nil
    // A copy that cannot be read is shown with what the device knows, so that the app can still finish it.
    payload =
      decoded
      ?? TransactionPayload(
        transaction.record, identity: StoreIdentity(daemon.device), signedDate: transaction.record.purchaseDate)
  }

  var json: Data { isDecoded ? signed.payloadData : payload.json() }
}

extension StoreIdentity {
  init(_ device: DeviceIdentity) { self.init(bundleId: device.bundleId, environment: device.environment) }
}
