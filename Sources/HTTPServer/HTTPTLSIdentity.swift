/// What a server shows to prove who it is.
package struct HTTPTLSIdentity: Sendable {
  /// The certificate and those of its issuers, PEM, the server's own first.
  package var certificateChain: String
  /// PKCS #8, PEM, without a password.
  package var privateKey: String

  package init(certificateChain: String, privateKey: String) {
    self.certificateChain = certificateChain
    self.privateKey = privateKey
  }
}

extension HTTPTLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "HTTPTLSIdentity(privateKey: <secret>)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["certificateChain": certificateChain]) }
}
