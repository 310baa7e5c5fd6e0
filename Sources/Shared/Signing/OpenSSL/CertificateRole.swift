import COpenSSL

/// The place of a certificate in the chain, which decides its name and its extensions.
///
/// The extensions are those that RFC 5280 asks for, as Apple's verifiers check it (OpenSSL's X509_STRICT).
enum CertificateRole {
  case root
  case intermediate(isMarked: Bool)
  case leaf(isMarked: Bool)

  var commonName: String {
    switch self {
    case .root: "Storefleet Root CA"
    case .intermediate: "Storefleet Developer Relations CA"
    case .leaf: "Storefleet Receipt Signing"
    }
  }

  /// Extensions in OpenSSL's configuration syntax.
  var extensions: [(identifier: Int32, value: String)] {
    let subject = (NID_subject_key_identifier, "hash")
    let authority = (NID_authority_key_identifier, "keyid:always")
    return switch self {
    case .root:
      [(NID_basic_constraints, "critical,CA:TRUE"), subject, (NID_key_usage, "critical,keyCertSign,cRLSign")]
    case .intermediate:
      [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), subject, authority,
        (NID_key_usage, "critical,keyCertSign,cRLSign"),
      ]
    case .leaf:
      [
        (NID_basic_constraints, "critical,CA:FALSE"), subject, authority,
        (NID_key_usage, "critical,digitalSignature"),
      ]
    }
  }

  var marker: CertificateMarker? {
    switch self {
    case .root: nil
    case .intermediate(let isMarked): isMarked ? .intermediate : nil
    case .leaf(let isMarked): isMarked ? .leaf : nil
    }
  }
}
