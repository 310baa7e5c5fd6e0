import COpenSSL
import Foundation

/// A leaf, an intermediate and a root that belong together and lead to a trusted root, at whatever time; or one
/// certificate that is trusted by itself.
///
/// What depends on the time or on news, validity and revocation, is kept to be asked for each signature.
struct CertificateChain {
  /// The public key of the leaf, which signs.
  let key: OpenSSLKey
  /// Serial numbers of leaf and intermediate, or of the one certificate.
  let serials: [CertificateSerial]
  /// The time, in milliseconds since 1970, at which all certificates are valid; possibly empty.
  let notBefore: Int64
  let notAfter: Int64

  /// Checks all that does not change: signatures, extensions, markers and the way to a trusted root.
  ///
  /// Apple's libraries ignore the root that is sent along and look for one in their own store. Here it must be the one
  /// that the chain ends in, so that a chain with a foreign root is recognised.
  init(certificates: [Data], trustedRoots: [Data]) throws(VerificationFailure) {
    guard certificates.count == 3, trustedRoots.contains(certificates[2]) else { throw .invalidCertificateChain }
    do throws(SigningError) {
      let leaf = try OpenSSLCertificate.read(der: certificates[0])
      let intermediate = try OpenSSLCertificate.read(der: certificates[1])
      let root = try OpenSSLCertificate.read(der: certificates[2])
      let isChain = try Self.isChain(leaf: leaf, intermediate: intermediate, root: root)
      guard
        isChain, leaf.has(.leaf), intermediate.has(.intermediate),
        let leafStart = leaf.notBefore, let leafEnd = leaf.notAfter,
        let intermediateStart = intermediate.notBefore, let intermediateEnd = intermediate.notAfter,
        let rootStart = root.notBefore, let rootEnd = root.notAfter
      else { throw SigningError(operation: "verify a chain", reason: "its certificates do not belong together.") }
      key = try leaf.publicKey()
      serials = [try leaf.serial(), try intermediate.serial()]
      notBefore = max(leafStart, intermediateStart, rootStart)
      notAfter = min(leafEnd, intermediateEnd, rootEnd)
    } catch {
      throw .invalidCertificateChain
    }
  }

  /// A certificate that signs by itself and is trusted as it is: byte for byte one of those.
  init(selfSigned der: Data, trusted: [Data]) throws(VerificationFailure) {
    guard trusted.contains(der) else { throw .invalidCertificateChain }
    do throws(SigningError) {
      let certificate = try OpenSSLCertificate.read(der: der)
      guard let start = certificate.notBefore, let end = certificate.notAfter else {
        throw SigningError(operation: "verify a certificate", reason: "its dates cannot be read.")
      }
      key = try certificate.publicKey()
      serials = [try certificate.serial()]
      (notBefore, notAfter) = (start, end)
    } catch {
      throw .invalidCertificateChain
    }
  }

  /// RFC 5280 path validation without the clock.
  private static func isChain(
    leaf: borrowing OpenSSLCertificate, intermediate: borrowing OpenSSLCertificate, root: borrowing OpenSSLCertificate
  ) throws(SigningError) -> Bool {
    let operation = "verify a chain"
    let store = try OpenSSLHandle.owning(X509_STORE_new(), free: X509_STORE_free, to: operation)
    try SigningError.check(X509_STORE_add_cert(store.pointer, root.pointer), to: operation)
    let untrusted = try OpenSSLHandle.owning(OPENSSL_sk_new_null(), free: OPENSSL_sk_free, to: operation)
    guard OPENSSL_sk_push(untrusted.pointer, UnsafeRawPointer(intermediate.pointer)) == 1 else {
      throw SigningError(openSSL: operation)
    }
    let context = try OpenSSLHandle.owning(X509_STORE_CTX_new(), free: X509_STORE_CTX_free, to: operation)
    try SigningError.check(
      X509_STORE_CTX_init(context.pointer, store.pointer, leaf.pointer, untrusted.pointer), to: operation)
    X509_STORE_CTX_set_flags(context.pointer, UInt(X509_V_FLAG_X509_STRICT | X509_V_FLAG_NO_CHECK_TIME))
    let isValid = X509_verify_cert(context.pointer) == 1
    ERR_clear_error()
    // Two certificates would mean that the root had signed the leaf itself.
    return isValid && OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context.pointer)) == 3
  }
}
