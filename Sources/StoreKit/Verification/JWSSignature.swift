public import Foundation

/// A P-256 signature with the members of CryptoKit's `P256.Signing.ECDSASignature` that a JWS needs.
///
/// It has a name of its own because a type called `P256` here would make that name ambiguous in every file that imports
/// a cryptography package too.
public struct JWSSignature: Hashable, Sendable {
  /// r and s, 32 bytes each; empty when the JWS has no signature.
  public let rawRepresentation: Data

  package init(rawRepresentation: Data) { self.rawRepresentation = rawRepresentation }

  /// The signature as an ASN.1 sequence of two integers.
  public var derRepresentation: Data {
    let half = rawRepresentation.count / 2
    let content = Self.integer(rawRepresentation.prefix(half)) + Self.integer(rawRepresentation.dropFirst(half))
    return Data([0x30, UInt8(truncatingIfNeeded: content.count)]) + content
  }

  private static func integer(_ bytes: Data) -> Data {
    // The shortest form, with a zero in front when the top bit would make it negative.
    var magnitude = Data(bytes.drop { $0 == 0 })
    if magnitude.first.map({ $0 >= 0x80 }) ?? true { magnitude.insert(0, at: magnitude.startIndex) }
    return Data([0x02, UInt8(truncatingIfNeeded: magnitude.count)]) + magnitude
  }
}
