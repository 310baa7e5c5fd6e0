import ClientNode
import Foundation
import Shared

/// What a `RenewalInfo` holds, shared by its copies.
final class RenewalInfoContent: Sendable {
  let payload: RenewalInfoPayload
  let signed: SignedData
  private let isDecoded: Bool

  init(_ status: SignedStatus, on daemon: any StoreDaemon) {
    signed = SignedData(text: status.infoJWS)
    let decoded = signed.payload(as: RenewalInfoPayload.self)
    isDecoded = decoded != nil
    // A copy that cannot be read is shown with what the device knows.
    payload =
      decoded
      ?? RenewalInfoPayload(
        status.info, identity: StoreIdentity(daemon.device), signedDate: status.info.recentSubscriptionStartDate)
  }

  var json: Data { isDecoded ? signed.payloadData : payload.json() }
}
