package import Foundation

/// Signs payloads as the App Store does: compact JWS in ES256 with the certificates in the header.
///
/// Many threads may sign at once: what they share is never changed after `init`, and OpenSSL's operation contexts are
/// lent to one caller at a time.
package final class JWSSigner: Sendable {
  private let key: OpenSSLKey
  /// The header in base64url and the dot after it, the same for every payload.
  private let prefix: Data
  /// SHA-256 of `prefix`, to go on from with each payload.
  private let prefixDigest: OpenSSLDigest

  package convenience init(authority: CertificateAuthority) throws(SigningError) {
    try self.init(key: authority.leafKey, header: .appStore(chain: authority.chain))
  }

  package convenience init(authority: XcodeAuthority) throws(SigningError) {
    try self.init(key: authority.key, header: .xcode(certificate: authority.certificateDER))
  }

  init(key: OpenSSLKey, header: JWSHeader) throws(SigningError) {
    self.key = key
    prefix = Data((Base64URL.encode(try header.json()) + ".").utf8)
    var digest = try OpenSSLDigest.startSHA256()
    try digest.update(prefix, 0..<prefix.count)
    prefixDigest = digest
  }

  /// Signs the payload as it is; for all that the store signs it is JSON.
  package func sign(_ payload: Data) throws(SigningError) -> CompactJWS {
    let payloadEnd = prefix.count + Base64URL.encodedCount(payload.count)
    var bytes = Data(count: payloadEnd + 1 + Base64URL.encodedCount(ECDSASignature.rawCount))
    bytes.replaceSubrange(0..<prefix.count, with: prefix)
    Self.write(payload, to: &bytes, at: prefix.count)

    var digest = try prefixDigest.copy()
    try digest.update(bytes, prefix.count..<payloadEnd)
    let signature = try key.sign(digest: try digest.finish())
    bytes[payloadEnd] = UInt8(ascii: ".")
    Self.write(signature.raw, to: &bytes, at: payloadEnd + 1)
    return CompactJWS(bytes: bytes, headerEnd: prefix.count - 1, payloadEnd: payloadEnd)
  }

  private static func write(_ data: Data, to bytes: inout Data, at offset: Int) {
    bytes.withUnsafeMutableBytes { output in
      let rest = UnsafeMutableRawBufferPointer(rebasing: output[offset...])
      data.withUnsafeBytes { _ = Base64URL.encode($0, into: rest) }
    }
  }
}
