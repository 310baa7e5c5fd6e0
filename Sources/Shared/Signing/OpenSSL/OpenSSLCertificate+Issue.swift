import COpenSSL
import Foundation

extension OpenSSLCertificate {
  /// Issues a certificate for the public half of `key`.
  ///
  /// - Parameters:
  ///   - world: Names the world in the subject, cut to the 64 characters that X.509 allows.
  ///   - notBefore: Start of validity, milliseconds since 1970, cut to whole seconds; `notAfter` likewise.
  ///   - issuerDER: The issuer's certificate; nil makes the certificate its own issuer.
  ///   - issuerKey: The private key that signs.
  ///   - ocspURL: Where verifiers ask whether it is revoked; nil for nowhere.
  static func issue(
    _ role: CertificateRole, world: String, key: OpenSSLKey, notBefore: Int64, notAfter: Int64, issuerDER: Data?,
    issuerKey: OpenSSLKey, ocspURL: String? = nil
  ) throws(SigningError) -> OpenSSLCertificate {
    let operation = "issue the certificate \(role.commonName)"
    let certificate = OpenSSLCertificate(try .owning(X509_new(), free: X509_free, to: operation))
    let pointer = certificate.pointer

    try SigningError.check(X509_set_version(pointer, Int(X509_VERSION_3)), to: operation)
    try certificate.setRandomSerial()
    try setTime(X509_getm_notBefore(pointer), milliseconds: notBefore)
    try setTime(X509_getm_notAfter(pointer), milliseconds: notAfter)
    try SigningError.check(X509_set_pubkey(pointer, key.pointer), to: operation)
    try certificate.setSubject(role, world: world)

    if let issuerDER {
      let issuer = try OpenSSLCertificate.read(der: issuerDER)
      try SigningError.check(X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer)), to: operation)
      try certificate.addExtensions(of: role, issuer: issuer.pointer)
    } else {
      try SigningError.check(X509_set_issuer_name(pointer, X509_get_subject_name(pointer)), to: operation)
      try certificate.addExtensions(of: role, issuer: pointer)
    }

    if let ocspURL { try certificate.add(ocspURL: ocspURL) }
    guard X509_sign(pointer, issuerKey.pointer, EVP_sha256()) > 0 else { throw SigningError(openSSL: operation) }
    return certificate
  }

  /// 127 random bits, the most that fits 16 bytes of a positive ASN.1 integer; the top bit is set, so it is never 0.
  private func setRandomSerial() throws(SigningError) {
    let operation = "choose a serial number"
    let number = try OpenSSLHandle.owning(BN_new(), free: BN_free, to: operation)
    try SigningError.check(BN_rand(number.pointer, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY), to: operation)
    guard BN_to_ASN1_INTEGER(number.pointer, X509_get_serialNumber(pointer)) != nil else {
      throw SigningError(openSSL: operation)
    }
  }

  private static func setTime(
    _ time: UnsafeMutablePointer<ASN1_TIME>?, milliseconds: Int64
  ) throws(SigningError) {
    let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
    guard ASN1_TIME_set(time, seconds) != nil else {
      throw SigningError(operation: "set a certificate's validity", reason: "\(milliseconds) ms is out of range.")
    }
  }

  private func setSubject(_ role: CertificateRole, world: String) throws(SigningError) {
    let operation = "name a certificate of the world \(world)"
    let name = X509_get_subject_name(pointer)
    var parts = [("CN", role.commonName), ("O", role.organization)]
    // X.509 counts code points, and allows no empty name.
    let unit = String(String.UnicodeScalarView(world.unicodeScalars.prefix(64)))
    if !unit.isEmpty { parts.append(("OU", unit)) }
    for (key, value) in parts {
      let bytes = Array(value.utf8)
      try SigningError.check(
        X509_NAME_add_entry_by_txt(name, key, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0), to: operation)
    }
  }

  private func addExtensions(of role: CertificateRole, issuer: OpaquePointer) throws(SigningError) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, pointer, nil, nil, 0)
    for (identifier, value) in role.extensions {
      try add(X509V3_EXT_conf_nid(nil, &context, identifier, value))
    }
    if let marker = role.marker { try add(Self.extensionObject(for: marker)) }
  }

  private func add(ocspURL: String) throws(SigningError) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, nil, pointer, nil, nil, 0)
    try add(X509V3_EXT_conf_nid(nil, &context, NID_info_access, "OCSP;URI:\(ocspURL)"))
  }

  /// Adds a copy of the extension and frees the original.
  private func add(_ extensionObject: OpaquePointer?) throws(SigningError) {
    let operation = "add an extension to a certificate"
    let owned = try OpenSSLHandle.owning(extensionObject, free: X509_EXTENSION_free, to: operation)
    try SigningError.check(X509_add_ext(pointer, owned.pointer, -1), to: operation)
  }

  private static func extensionObject(for marker: CertificateMarker) -> OpaquePointer? {
    guard let identifier = OBJ_txt2obj(marker.rawValue, 1) else { return nil }
    defer { ASN1_OBJECT_free(identifier) }
    guard let value = ASN1_OCTET_STRING_new() else { return nil }
    defer { ASN1_OCTET_STRING_free(value) }
    let null: [UInt8] = [0x05, 0x00]
    guard ASN1_OCTET_STRING_set(value, null, Int32(null.count)) == 1 else { return nil }
    let isCritical: Int32 = 0
    return X509_EXTENSION_create_by_OBJ(nil, identifier, isCritical, value)
  }
}
