import COpenSSL
import Foundation

/// An X.509 certificate.
///
/// OpenSSL fills in parts of the object when they are first asked for, so it stays with the thread that made it: what
/// others need of a certificate is its DER.
struct OpenSSLCertificate: ~Copyable {
  let handle: OpenSSLHandle

  /// The `X509`, valid for as long as this value lives.
  var pointer: OpaquePointer { handle.pointer }

  init(_ handle: consuming OpenSSLHandle) { self.handle = handle }

  /// Reads DER; throws if it is not one whole certificate.
  static func read(der: Data) throws(SigningError) -> OpenSSLCertificate {
    let operation = "read a certificate"
    var readCount = 0
    let parsed = der.withUnsafeBytes { bytes -> OpaquePointer? in
      let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      var cursor = start
      guard let start, let parsed = d2i_X509(nil, &cursor, bytes.count) else { return nil }
      readCount = cursor.map { $0 - start } ?? 0
      return parsed
    }
    let certificate = OpenSSLCertificate(try .owning(parsed, free: X509_free, to: operation))
    guard readCount == der.count else {
      throw SigningError(operation: operation, reason: "bytes follow the end of the certificate.")
    }
    return certificate
  }

  func der() throws(SigningError) -> Data {
    let operation = "write a certificate"
    let count = i2d_X509(pointer, nil)
    guard count > 0 else { throw SigningError(openSSL: operation) }
    var der = Data(count: Int(count))
    let written = der.withUnsafeMutableBytes { output in
      var cursor = output.assumingMemoryBound(to: UInt8.self).baseAddress
      return i2d_X509(pointer, &cursor)
    }
    guard written == count else { throw SigningError(openSSL: operation) }
    return der
  }

  func serial() throws(SigningError) -> CertificateSerial {
    let operation = "read a serial number"
    let number = try OpenSSLHandle.owning(
      ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil), free: BN_free, to: operation)
    guard let text = BN_bn2hex(number.pointer) else { throw SigningError(openSSL: operation) }
    defer { CRYPTO_free(text, #file, #line) }
    return CertificateSerial(rawValue: String(cString: text))
  }

  /// The public key; throws if it is not on P-256.
  func publicKey() throws(SigningError) -> OpenSSLKey {
    try OpenSSLKey(.owning(X509_get_pubkey(pointer), free: EVP_PKEY_free, to: "read a public key"))
  }

  /// Milliseconds since 1970 of the first second of validity; nil if the certificate's date is malformed.
  var notBefore: Int64? { Self.seconds(X509_get0_notBefore(pointer)).map { $0 * 1000 } }

  /// Milliseconds since 1970 of the end of the last second of validity; nil if the certificate's date is malformed.
  var notAfter: Int64? { Self.seconds(X509_get0_notAfter(pointer)).map { $0 * 1000 + 999 } }

  /// Where verifiers ask whether it is revoked; nil for nowhere.
  var ocspURL: String? {
    guard let urls = X509_get1_ocsp(pointer) else { return nil }
    defer { X509_email_free(urls) }
    return OPENSSL_sk_value(urls, 0).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }

  func has(_ marker: CertificateMarker) -> Bool {
    guard let identifier = OBJ_txt2obj(marker.rawValue, 1) else { return false }
    defer { ASN1_OBJECT_free(identifier) }
    return X509_get_ext_by_OBJ(pointer, identifier, -1) >= 0
  }

  /// Whether the private key belongs to this certificate.
  func belongs(to key: OpenSSLKey) -> Bool {
    let isMatch = X509_check_private_key(pointer, key.pointer) == 1
    ERR_clear_error()
    return isMatch
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else {
      ERR_clear_error()
      return nil
    }
    return Int64(timegm(&parts))
  }
}
