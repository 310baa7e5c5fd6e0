import Foundation
import Synchronization

/// Verifies signed data against the trust of one world, as a device or a server library does.
///
/// All data of one leaf has the same header, so what a header leads to is kept, failures too: then a verification costs
/// one P-256 operation and no parsing. The cache is under a lock that is held for the look-up only; many threads may
/// verify at once.
package final class JWSVerifier: Sendable {
  package let trust: TrustStore
  private let chains: Mutex<ChainCache>

  /// Headers longer than this are refused unread. Apple's have about 6,000 bytes.
  private static let maximumHeaderCount = 65_536

  /// A verifier that keeps what up to `cacheCapacity` headers lead to. For other trust, make another verifier.
  package init(trust: TrustStore, cacheCapacity: Int = 64) {
    self.trust = trust
    chains = Mutex(ChainCache(capacity: cacheCapacity))
  }

  /// Splits and verifies a compact JWS, and returns its parts.
  ///
  /// - Parameter milliseconds: The time at which the certificates must be valid, in milliseconds since 1970: as a rule
  ///   the payload's `signedDate`.
  @discardableResult
  package func verify(_ text: String, at milliseconds: Int64) throws(VerificationFailure) -> CompactJWS {
    let jws = try CompactJWS(text)
    try verify(jws, at: milliseconds)
    return jws
  }

  /// Verifies a compact JWS; its parts may be believed if this returns.
  ///
  /// - Parameter milliseconds: The time at which the certificates must be valid, in milliseconds since 1970: as a rule
  ///   the payload's `signedDate`.
  package func verify(_ jws: CompactJWS, at milliseconds: Int64) throws(VerificationFailure) {
    guard jws.headerEnd <= Self.maximumHeaderCount else { throw .invalidEncoding }
    guard let digests = try? Self.digests(of: jws) else { throw .invalidSignature }

    let chain = try chain(of: jws, headerDigest: digests.header)
    guard trust.revokedSerials.isDisjoint(with: chain.serials) else { throw .revokedCertificate }
    guard chain.notBefore <= milliseconds, milliseconds <= chain.notAfter else { throw .invalidCertificateChain }

    guard
      let signature = ECDSASignature(raw: jws.signatureData),
      let isValid = try? chain.key.isValid(signature, digest: digests.signedData), isValid
    else { throw .invalidSignature }
  }

  private func chain(of jws: CompactJWS, headerDigest: [UInt8]) throws(VerificationFailure) -> CertificateChain {
    if let known = chains.withLock({ $0.find(headerDigest) }) { return try known.get() }
    let found = Result { () throws(VerificationFailure) in try readChain(of: jws) }
    chains.withLock { $0.insert(found, for: headerDigest) }
    return try found.get()
  }

  private func readChain(of jws: CompactJWS) throws(VerificationFailure) -> CertificateChain {
    guard
      let header = try? JSONDecoder().decode(JWSHeader.self, from: jws.headerData),
      header.alg == JWSHeader.es256, header.crit == nil
    else { throw .invalidEncoding }
    guard let certificates = header.certificates else { throw .invalidCertificateChain }
    if certificates.count == 1, header.kid == JWSHeader.xcodeKey {
      return try CertificateChain(selfSigned: certificates[0], trusted: trust.selfSigned)
    }
    return try CertificateChain(certificates: certificates, trustedRoots: trust.roots)
  }

  /// SHA-256 of the header with its dot, which names it in the cache, and of all signed data, in one go.
  private static func digests(of jws: CompactJWS) throws(SigningError) -> (header: [UInt8], signedData: [UInt8]) {
    let prefixEnd = jws.headerEnd + 1
    var running = try OpenSSLDigest.startSHA256()
    try running.update(jws.bytes, 0..<prefixEnd)
    var header = try running.copy()
    try running.update(jws.bytes, prefixEnd..<jws.payloadEnd)
    return (try header.finish(), try running.finish())
  }
}
