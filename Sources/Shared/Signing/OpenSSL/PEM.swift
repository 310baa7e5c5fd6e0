import COpenSSL
import Foundation

/// Private keys (PKCS #8, without a password) and certificates as PEM text.
enum PEM {
  static func text(key: OpenSSLKey) throws(SigningError) -> String {
    try written(to: "write a private key") { PEM_write_bio_PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) }
  }

  static func text(certificateDER der: Data) throws(SigningError) -> String {
    let certificate = try OpenSSLCertificate.read(der: der)
    return try written(to: "write a certificate") { PEM_write_bio_X509($0, certificate.pointer) }
  }

  /// All private keys of the text in their order; what else it holds is passed over.
  static func keys(in text: String) throws(SigningError) -> [OpenSSLKey] {
    let bytes = Array(text.utf8)
    let bio = try reader(bytes)
    // Without a callback of ours OpenSSL would ask for the password of an encrypted key on the terminal.
    let noPassword: @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
      _, _, _, _ in -1
    }
    var keys: [OpenSSLKey] = []
    while let key = PEM_read_bio_PrivateKey(bio.pointer, nil, noPassword, nil) {
      keys.append(try OpenSSLKey(OpenSSLHandle(owning: key, free: EVP_PKEY_free)))
    }
    ERR_clear_error()
    return keys
  }

  /// All certificates of the text in their order, in DER; what else it holds is passed over.
  static func certificates(in text: String) throws(SigningError) -> [Data] {
    let bytes = Array(text.utf8)
    let bio = try reader(bytes)
    var certificates: [Data] = []
    while let certificate = PEM_read_bio_X509(bio.pointer, nil, nil, nil) {
      certificates.append(try OpenSSLCertificate(OpenSSLHandle(owning: certificate, free: X509_free)).der())
    }
    ERR_clear_error()
    return certificates
  }

  /// A BIO with a copy of the bytes.
  private static func reader(_ bytes: [UInt8]) throws(SigningError) -> OpenSSLHandle {
    let operation = "read PEM text"
    let bio = try memory(operation)
    guard bytes.isEmpty || BIO_write(bio.pointer, bytes, Int32(clamping: bytes.count)) == bytes.count else {
      throw SigningError(openSSL: operation)
    }
    return bio
  }

  private static func written(
    to operation: String, _ write: (OpaquePointer) -> Int32
  ) throws(SigningError) -> String {
    let bio = try memory(operation)
    try SigningError.check(write(bio.pointer), to: operation)
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio.pointer))
    guard BIO_read(bio.pointer, &bytes, Int32(clamping: bytes.count)) == bytes.count else {
      throw SigningError(openSSL: operation)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func memory(_ operation: String) throws(SigningError) -> OpenSSLHandle {
    try .owning(BIO_new(BIO_s_mem()), free: BIO_free_all, to: operation)
  }
}
