/// The serial number of a certificate in upper-case hexadecimal, as `openssl x509 -serial` prints it.
package struct CertificateSerial: RawRepresentable, Hashable, Codable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}
