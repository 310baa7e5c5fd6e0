import COpenSSL
import Foundation

/// A running hash.
///
/// Sendable by `@unchecked`: a value that is shared between threads is only ever copied from, which OpenSSL does
/// without writing to it; the mutating methods need exclusive access, which Swift enforces for a noncopyable value.
struct OpenSSLDigest: ~Copyable, @unchecked Sendable {
  private let context: OpenSSLHandle

  /// Takes over an `EVP_MD_CTX`.
  private init(context: consuming OpenSSLHandle) { self.context = context }

  /// Starts a SHA-256.
  static func startSHA256() throws(SigningError) -> OpenSSLDigest {
    let digest = try OpenSSLDigest(context: newContext())
    try SigningError.check(EVP_DigestInit_ex2(digest.context.pointer, sha256.pointer, nil), to: "start a SHA-256")
    return digest
  }

  /// Another hash that goes on from where this one is.
  func copy() throws(SigningError) -> OpenSSLDigest {
    let copy = try OpenSSLDigest(context: Self.newContext())
    try SigningError.check(EVP_MD_CTX_copy_ex(copy.context.pointer, context.pointer), to: "copy a SHA-256")
    return copy
  }

  /// Hashes the bytes at these offsets from the start of `data`.
  mutating func update(_ data: Data, _ offsets: Range<Int>) throws(SigningError) {
    let status = data.withUnsafeBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[offsets])
      return EVP_DigestUpdate(context.pointer, part.baseAddress, part.count)
    }
    try SigningError.check(status, to: "hash bytes")
  }

  /// The hash of all bytes so far: 32 bytes. More bytes must not follow.
  mutating func finish() throws(SigningError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    try SigningError.check(EVP_DigestFinal_ex(context.pointer, &digest, nil), to: "finish a SHA-256")
    return digest
  }

  static func sha384(_ data: Data) throws(SigningError) -> Data {
    var digest = Data(count: 48)
    let status = digest.withUnsafeMutableBytes { output in
      data.withUnsafeBytes { input in
        EVP_Digest(
          input.baseAddress, input.count, output.assumingMemoryBound(to: UInt8.self).baseAddress, nil, sha384.pointer,
          nil)
      }
    }
    try SigningError.check(status, to: "hash bytes")
    return digest
  }

  private static func newContext() throws(SigningError) -> OpenSSLHandle {
    try .owning(EVP_MD_CTX_new(), free: EVP_MD_CTX_free, to: "make a hash")
  }

  /// An algorithm that was looked up once: OpenSSL 3 would otherwise look it up for every hash.
  ///
  /// Sendable by `@unchecked`: OpenSSL's algorithm objects do not change after the look-up, and this one lives as long
  /// as the process.
  private struct Algorithm: @unchecked Sendable {
    /// Nil if OpenSSL has no such algorithm; its functions then fail, and their callers throw.
    let pointer: OpaquePointer?
    init(_ name: String) { pointer = EVP_MD_fetch(nil, name, nil) }
  }

  private static let sha256 = Algorithm("SHA256")
  private static let sha384 = Algorithm("SHA384")
}
