import COpenSSL

/// A P-256 key, private or public, and the ECDSA operations with it.
///
/// Sendable by `@unchecked`: the key is never changed after `init`, and OpenSSL lets many threads use a key that nobody
/// changes. Operation contexts are not shared: see ``ECDSAContextPool``.
final class OpenSSLKey: @unchecked Sendable {
  private let key: OpenSSLHandle
  private let signing: ECDSAContextPool
  private let verifying: ECDSAContextPool

  /// The `EVP_PKEY`, valid for as long as this object lives.
  var pointer: OpaquePointer { key.pointer }

  /// Takes over an `EVP_PKEY`; throws if it is not on the curve P-256.
  init(_ key: consuming OpenSSLHandle) throws(SigningError) {
    let pointer = key.pointer
    let isP256 = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      var count = 0
      guard EVP_PKEY_get_group_name(pointer, name.baseAddress, name.count, &count) == 1 else { return false }
      return String(cString: name.baseAddress!) == Self.curve
    }
    ERR_clear_error()
    guard isP256 else { throw SigningError(operation: "use a key", reason: "it is not on the curve P-256.") }
    signing = ECDSAContextPool(key: pointer, prepare: EVP_PKEY_sign_init)
    verifying = ECDSAContextPool(key: pointer, prepare: EVP_PKEY_verify_init)
    self.key = key
  }

  /// Makes a new private key.
  static func generate() throws(SigningError) -> OpenSSLKey {
    let operation = "make a P-256 key"
    let context = try OpenSSLHandle.owning(
      EVP_PKEY_CTX_new_from_name(nil, "EC", nil), free: EVP_PKEY_CTX_free, to: operation)
    try SigningError.check(EVP_PKEY_keygen_init(context.pointer), to: operation)
    try SigningError.check(EVP_PKEY_CTX_set_group_name(context.pointer, curve), to: operation)
    var key: OpaquePointer?
    try SigningError.check(EVP_PKEY_generate(context.pointer, &key), to: operation)
    return try OpenSSLKey(.owning(key, free: EVP_PKEY_free, to: operation))
  }

  /// Signs a SHA-256 digest.
  func sign(digest: [UInt8]) throws(SigningError) -> ECDSASignature {
    let operation = "sign with ECDSA P-256"
    let context = try signing.take()
    var der = [UInt8](repeating: 0, count: ECDSASignature.maximumDERCount)
    var count = der.count
    try SigningError.check(
      EVP_PKEY_sign(context.pointer, &der, &count, digest, digest.count), to: operation)
    signing.giveBack(context)
    return try ECDSASignature(der: der[..<count])
  }

  /// Whether the signature is this key's of the SHA-256 digest.
  func isValid(_ signature: ECDSASignature, digest: [UInt8]) throws(SigningError) -> Bool {
    let der = try signature.der()
    let context = try verifying.take()
    let status = EVP_PKEY_verify(context.pointer, der, der.count, digest, digest.count)
    verifying.giveBack(context)
    // A signature that is out of range leaves an error behind; it is no more than another wrong one.
    if status != 1 { ERR_clear_error() }
    return status == 1
  }

  private static let curve = "prime256v1"
}
