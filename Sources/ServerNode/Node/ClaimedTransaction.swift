import Foundation
import Shared
import Wire

/// The transaction that a claim is about, once its signature is checked against the world's own root.
enum ClaimedTransaction {
  private struct Payload: Decodable {
    var transactionId: TransactionID
    /// Old transactions have none.
    var bundleId: String?
    var signedDate: StoreTime
  }

  /// What the copy says, true or not: enough to look it up.
  static func unverifiedId(_ jws: Data?) -> TransactionID? {
    guard let jws, let copy = try? CompactJWS(jws) else { return nil }
    return (try? SignedPayload.decode(Payload.self, from: copy.payloadData))?.transactionId
  }

  static func verifiedId(_ jws: Data?, in context: ActorContext) throws(WireError) -> TransactionID {
    guard let jws else { throw WireError(.badFrame, "a claim has the transaction's JWS as its first attachment") }
    guard let verifier = context.verifier else {
      throw WireError(.unavailable, "the certificate authority of world '\(context.address.world)' is not open")
    }
    do {
      let copy = try CompactJWS(jws)
      let payload = try SignedPayload.decode(Payload.self, from: copy.payloadData)
      try verifier.verify(copy, at: payload.signedDate.milliseconds)
      guard payload.bundleId ?? context.world?.bundleId == context.world?.bundleId else {
        throw VerificationFailure.invalidDeviceVerification
      }
      return payload.transactionId
    } catch {
      throw .refused(.unverified, "the claimed transaction is not one that this world has signed (\(error))")
    }
  }
}
