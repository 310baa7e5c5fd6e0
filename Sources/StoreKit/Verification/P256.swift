public import Foundation

/// Stands for CryptoKit's enumeration of this name, of which StoreKit needs the signature alone.
///
/// A file that imports swift-crypto's `Crypto` too has two types of this name, and `P256` alone is ambiguous there. Say
/// `Crypto.P256`, or add `import enum Crypto.P256` to the file, which makes the name mean that one:
///
/// ```swift
/// import Crypto
/// import enum Crypto.P256
/// import StoreKit
///
/// let signature = try P256.Signing.ECDSASignature(rawRepresentation: result.signature.rawRepresentation)
/// let isValid = publicKey.isValidSignature(signature, for: result.signedData)
/// ```
///
/// Apple: https://developer.apple.com/documentation/cryptokit/p256
public enum P256: Sendable {
  public enum Signing: Sendable {}
}

extension P256.Signing {
  /// The signature of a JWS.
  ///
  /// Apple: https://developer.apple.com/documentation/cryptokit/p256/signing/ecdsasignature
  public struct ECDSASignature: ContiguousBytes, Hashable, Sendable {
    /// r and s, 32 bytes each; empty when the JWS has no signature.
    public let rawRepresentation: Data

    package init(rawRepresentation: Data) { self.rawRepresentation = rawRepresentation }

    /// The signature as an ASN.1 sequence of two integers.
    public var derRepresentation: Data {
      let half = rawRepresentation.count / 2
      let content = Self.integer(rawRepresentation.prefix(half)) + Self.integer(rawRepresentation.dropFirst(half))
      return Data([0x30, UInt8(truncatingIfNeeded: content.count)]) + content
    }

    /// The bytes of `rawRepresentation`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
      try rawRepresentation.withUnsafeBytes(body)
    }

    private static func integer(_ bytes: Data) -> Data {
      // The shortest form, with a zero in front when the top bit would make it negative.
      var magnitude = Data(bytes.drop { $0 == 0 })
      if magnitude.first.map({ $0 >= 0x80 }) ?? true { magnitude.insert(0, at: magnitude.startIndex) }
      return Data([0x02, UInt8(truncatingIfNeeded: magnitude.count)]) + magnitude
    }
  }
}
