import Foundation
import Shared
import Synchronization

/// Checks signed copies as a phone does: chain and signature, then app, environment and device.
final class CopyVerifier: Sendable {
  /// What of a payload the checks need; a renewal info has no bundle id.
  private struct Payload: Decodable {
    var signedDate: StoreTime?
    var bundleId: String?
    var environment: String?
    // An app transaction has these names for its date and environment.
    var receiptCreationDate: StoreTime?
    var receiptType: String?
    var deviceVerification: String?
    var deviceVerificationNonce: String?
  }

  /// One verifier a world: it keeps the chains that it has checked.
  private let verifiers = Mutex<[TrustStore: JWSVerifier]>([:])

  func verify(_ check: SignedCopyCheck) -> VerificationFailure? {
    do {
      try run(check)
      return nil
    } catch {
      return error
    }
  }

  private func run(_ check: SignedCopyCheck) throws(VerificationFailure) {
    let jws = try CompactJWS(check.jws)
    let payload: Payload
    do { payload = try SignedPayload.decode(Payload.self, from: jws.payloadData) } catch {
      // Not JSON: what was signed was something else, unless the bytes were changed, which the signature tells.
      try verifier(of: check).verify(jws, at: 0)
      throw .invalidEncoding
    }
    // Without its date nothing can be checked; a changed payload shall still be called that.
    let isApp = check.subject == nil
    let signedDate = isApp ? payload.receiptCreationDate : payload.signedDate
    try verifier(of: check).verify(jws, at: signedDate?.milliseconds ?? 0)
    guard signedDate != nil, let environment = isApp ? payload.receiptType : payload.environment else {
      throw .missingRequiredProperties
    }
    guard environment == check.environment else { throw .invalidDeviceVerification }
    // Old transactions have none; the root and the device that they are bound to are this app's all the same.
    if let bundleId = payload.bundleId, bundleId != check.bundleId { throw .invalidDeviceVerification }
    if payload.deviceVerification == nil, !check.isDeviceBound || check.subject?.isTransaction == false { return }
    try DeviceVerification.check(
      deviceVerification: payload.deviceVerification, nonce: payload.deviceVerificationNonce,
      deviceID: check.deviceVerificationId)
  }

  private func verifier(of check: SignedCopyCheck) -> JWSVerifier {
    let trust = TrustStore(anchor: check.rootCertificate, environment: check.environment)
    return verifiers.withLock { verifiers in
      if let verifier = verifiers[trust] { return verifier }
      let verifier = JWSVerifier(trust: trust)
      verifiers[trust] = verifier
      return verifier
    }
  }
}
