import COpenSSL
package import Foundation

/// Says of an authority's own certificates that they are not revoked (RFC 6960), as Apple's responder does, so that
/// verifiers can keep their online checks on.
///
/// Each answer is signed by the issuer of the certificate that it is about.
package struct OCSPResponder: Sendable {
  /// A certificate with its issuer.
  fileprivate struct Issued: Sendable {
    var certificate: Data
    var issuer: Data
    var issuerKey: OpenSSLKey
  }

  private let issued: [Issued]

  /// How long an answer holds, in seconds. It is made anew for each question.
  private static let validity = 3_600
  /// A verifier's clock may be a little behind.
  private static let skew = 60

  package init(authority: CertificateAuthority) {
    issued = [
      Issued(
        certificate: authority.leafDER, issuer: authority.intermediateDER, issuerKey: authority.intermediateKey),
      Issued(certificate: authority.intermediateDER, issuer: authority.rootDER, issuerKey: authority.rootKey),
    ]
  }

  /// The response in DER to a request in DER; to one that cannot be read, the response that says so.
  package func respond(to request: Data) throws(SigningError) -> Data {
    let parsed = request.withUnsafeBytes { bytes -> OpaquePointer? in
      var cursor = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      return cursor == nil ? nil : d2i_OCSP_REQUEST(nil, &cursor, bytes.count)
    }
    guard let parsed else {
      ERR_clear_error()
      return try OCSPResponder.der(OCSP_response_create(OCSP_RESPONSE_STATUS_MALFORMEDREQUEST, nil))
    }
    let request = OpenSSLHandle(owning: parsed, free: OCSP_REQUEST_free)
    let ids = (0..<OCSP_request_onereq_count(request.pointer)).compactMap { place in
      OCSP_request_onereq_get0(request.pointer, place).flatMap { OCSP_onereq_get0_id($0) }
    }
    // One signature, so one issuer: that of the first certificate that is known.
    var signer: Issued?
    for id in ids {
      for one in issued where signer == nil {
        if try one.isNamed(id) { signer = one }
      }
    }
    guard let signer else {
      return try OCSPResponder.der(OCSP_response_create(OCSP_RESPONSE_STATUS_UNAUTHORIZED, nil))
    }
    return try response(to: request.pointer, ids, signer)
  }

  private func response(
    to request: OpaquePointer, _ ids: [OpaquePointer], _ signer: Issued
  ) throws(SigningError) -> Data {
    let operation = "answer an OCSP request"
    let basic = try OpenSSLHandle.owning(OCSP_BASICRESP_new(), free: OCSP_BASICRESP_free, to: operation)
    guard let from = X509_gmtime_adj(nil, -OCSPResponder.skew) else { throw SigningError(openSSL: operation) }
    defer { ASN1_STRING_free(from) }
    guard let until = X509_gmtime_adj(nil, OCSPResponder.validity) else { throw SigningError(openSSL: operation) }
    defer { ASN1_STRING_free(until) }
    for id in ids {
      let isGood = try signer.isNamed(id)
      let status = isGood ? V_OCSP_CERTSTATUS_GOOD : V_OCSP_CERTSTATUS_UNKNOWN
      guard OCSP_basic_add1_status(basic.pointer, id, status, 0, nil, from, until) != nil else {
        throw SigningError(openSSL: operation)
      }
    }
    // The request need not have a nonce.
    OCSP_copy_nonce(basic.pointer, request)
    let certificate = try OpenSSLCertificate.read(der: signer.issuer)
    let flags = UInt(OCSP_RESPID_KEY | OCSP_NOCERTS)
    try SigningError.check(
      OCSP_basic_sign(basic.pointer, certificate.pointer, signer.issuerKey.pointer, EVP_sha256(), nil, flags),
      to: operation)
    return try OCSPResponder.der(OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic.pointer))
  }

  private static func der(_ response: OpaquePointer?) throws(SigningError) -> Data {
    let operation = "write an OCSP response"
    let response = try OpenSSLHandle.owning(response, free: OCSP_RESPONSE_free, to: operation)
    let count = i2d_OCSP_RESPONSE(response.pointer, nil)
    guard count > 0 else { throw SigningError(openSSL: operation) }
    var der = Data(count: Int(count))
    let written = der.withUnsafeMutableBytes { output in
      var cursor = output.assumingMemoryBound(to: UInt8.self).baseAddress
      return i2d_OCSP_RESPONSE(response.pointer, &cursor)
    }
    guard written == count else { throw SigningError(openSSL: operation) }
    return der
  }
}

extension OCSPResponder.Issued {
  /// Whether a request means this certificate, in whichever hash it names it.
  fileprivate func isNamed(_ id: OpaquePointer) throws(SigningError) -> Bool {
    var algorithm: OpaquePointer?
    guard OCSP_id_get0_info(nil, &algorithm, nil, nil, id) == 1,
      let digest = EVP_get_digestbyname(OBJ_nid2sn(OBJ_obj2nid(algorithm)))
    else {
      ERR_clear_error()
      return false
    }
    let subject = try OpenSSLCertificate.read(der: certificate)
    let issuer = try OpenSSLCertificate.read(der: issuer)
    guard let own = OCSP_cert_to_id(digest, subject.pointer, issuer.pointer) else {
      ERR_clear_error()
      return false
    }
    defer { OCSP_CERTID_free(own) }
    return OCSP_id_cmp(own, id) == 0
  }
}
