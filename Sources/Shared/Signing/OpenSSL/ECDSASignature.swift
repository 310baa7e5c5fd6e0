import COpenSSL
import Foundation

/// A P-256 signature as JWS has it: r and s, 32 bytes each, big-endian (RFC 7518 §3.4). OpenSSL speaks DER.
struct ECDSASignature {
  /// 64 bytes.
  let raw: Data

  static let rawCount = 64
  /// Two integers of up to 33 bytes, each with two bytes before it, and two bytes before both.
  static let maximumDERCount = 72

  /// Nil unless there are 64 bytes.
  init?(raw: Data) {
    guard raw.count == Self.rawCount else { return nil }
    self.raw = raw
  }

  init(der: ArraySlice<UInt8>) throws(SigningError) {
    let operation = "read an ECDSA signature"
    let parsed = der.withUnsafeBufferPointer { der in
      var cursor = der.baseAddress
      return d2i_ECDSA_SIG(nil, &cursor, der.count)
    }
    let signature = try OpenSSLHandle.owning(parsed, free: ECDSA_SIG_free, to: operation)
    var raw = Data(count: Self.rawCount)
    let isWritten = raw.withUnsafeMutableBytes { output in
      let half = Self.rawCount / 2
      let start = output.assumingMemoryBound(to: UInt8.self).baseAddress!
      let r = BN_bn2binpad(ECDSA_SIG_get0_r(signature.pointer), start, Int32(half))
      let s = BN_bn2binpad(ECDSA_SIG_get0_s(signature.pointer), start + half, Int32(half))
      return r == half && s == half
    }
    guard isWritten else { throw SigningError(openSSL: operation) }
    self.raw = raw
  }

  func der() throws(SigningError) -> [UInt8] {
    let operation = "write an ECDSA signature"
    let signature = try OpenSSLHandle.owning(ECDSA_SIG_new(), free: ECDSA_SIG_free, to: operation)
    let isSet = raw.withUnsafeBytes { bytes in
      let half = Self.rawCount / 2
      let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
      guard let r = BN_bin2bn(start, Int32(half), nil) else { return false }
      guard let s = BN_bin2bn(start + half, Int32(half), nil) else {
        BN_free(r)
        return false
      }
      // On success the signature owns both numbers.
      return ECDSA_SIG_set0(signature.pointer, r, s) == 1
    }
    guard isSet else { throw SigningError(openSSL: operation) }
    var der = [UInt8](repeating: 0, count: Self.maximumDERCount)
    let count = der.withUnsafeMutableBufferPointer { der in
      var cursor = der.baseAddress
      return i2d_ECDSA_SIG(signature.pointer, &cursor)
    }
    guard count > 0 else { throw SigningError(openSSL: operation) }
    der.removeLast(der.count - Int(count))
    return der
  }
}
