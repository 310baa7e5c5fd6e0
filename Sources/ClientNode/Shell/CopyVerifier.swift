import Foundation
import Shared
import Synchronization

/// Checks signed copies as a phone does: chain and signature, then app, environment and device.
final class CopyVerifier: Sendable {
  /// What of a payload the checks need; a renewal info has no bundle id.
  private struct Payload: Decodable {
    var signedDate: Int64?
    var bundleId: String?
    var environment: String?
    // An app transaction has these names for its date and environment.
    var receiptCreationDate: Int64?
    var receiptType: String?
    var deviceVerification: String?
    var deviceVerificationNonce: String?
  }

  /// One verifier a root: it keeps the chains that it has checked.
  private let verifiers = Mutex<[Data: JWSVerifier]>([:])

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
    do { payload = try JSONDecoder().decode(Payload.self, from: jws.payloadData) } catch {
      // Not JSON: what was signed was something else, unless the bytes were changed, which the signature tells.
      try verifier(of: check.rootCertificate).verify(jws, at: 0)
      throw .invalidEncoding
    }
    // Without its date nothing can be checked; a changed payload shall still be called that.
    let isApp = check.subject == nil
    let signedDate = isApp ? payload.receiptCreationDate : payload.signedDate
    try verifier(of: check.rootCertificate).verify(jws, at: signedDate ?? 0)
    guard signedDate != nil, let environment = isApp ? payload.receiptType : payload.environment else {
      throw .missingRequiredProperties
    }
    guard environment == check.environment else { throw .invalidDeviceVerification }
    if check.subject?.isTransaction ?? true {
      guard let bundleId = payload.bundleId else { throw .missingRequiredProperties }
      guard bundleId == check.bundleId else { throw .invalidDeviceVerification }
    }
    if payload.deviceVerification == nil, !check.isDeviceBound || check.subject?.isTransaction == false { return }
    try DeviceVerification.check(
      deviceVerification: payload.deviceVerification, nonce: payload.deviceVerificationNonce,
      deviceID: check.deviceVerificationId)
  }

  private func verifier(of root: Data) -> JWSVerifier {
    verifiers.withLock { verifiers in
      if let verifier = verifiers[root] { return verifier }
      let verifier = JWSVerifier(trust: TrustStore(roots: [root]))
      verifiers[root] = verifier
      return verifier
    }
  }
}
