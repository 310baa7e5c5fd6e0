/// Apple's private extensions that tell receipt-signing certificates from all others under the same root.
///
/// They carry an ASN.1 NULL and must not be critical: verifiers refuse critical extensions that they do not know.
enum CertificateMarker: String {
  case intermediate = "1.2.840.113635.100.6.2.1"
  case leaf = "1.2.840.113635.100.6.11.1"
}
