import COpenSSL

/// The place of a certificate in the chain, which decides its name and its extensions.
///
/// The extensions are those that RFC 5280 asks for, as Apple's verifiers check it (OpenSSL's X509_STRICT).
enum CertificateRole {
  case root
  case intermediate(isMarked: Bool)
  case leaf(isMarked: Bool)
  /// StoreKit Testing's: it has no chain.
  case xcode

  var commonName: String {
    switch self {
    case .root: "Storefleet Root CA"
    case .intermediate: "Storefleet Developer Relations CA"
    case .leaf: "Storefleet Receipt Signing"
    case .xcode: "StoreKit Testing in Xcode"
    }
  }

  var organization: String {
    switch self {
    case .root, .intermediate, .leaf: "Storefleet"
    case .xcode: commonName
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
    case .xcode: [(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")]
    }
  }

  var marker: CertificateMarker? {
    switch self {
    case .root, .xcode: nil
    case .intermediate(let isMarked): isMarked ? .intermediate : nil
    case .leaf(let isMarked): isMarked ? .leaf : nil
    }
  }
}
