import Foundation

/// The JOSE header of signed data (Apple: JWSDecodedHeader).
///
/// The App Store sends `alg` and `x5c` alone; StoreKit Testing in Xcode adds `kid` and `typ`.
struct JWSHeader: Codable, Equatable {
  let alg: String
  var kid: String? = nil
  var typ: String? = nil
  /// Certificates in standard base64 DER, leaf first.
  let x5c: [String]?
  /// Extensions that a reader must understand (RFC 7515 §4.1.11). We understand none.
  var crit: [String]?

  static let es256 = "ES256"

  /// The header that the App Store sends.
  static func appStore(chain: [Data]) -> JWSHeader {
    JWSHeader(alg: es256, x5c: chain.map { $0.base64EncodedString() })
  }

  /// The header of StoreKit Testing in Xcode: one certificate, which signs by itself.
  static func xcode(certificate: Data) -> JWSHeader {
    JWSHeader(alg: es256, kid: xcodeKey, typ: "JWT", x5c: [certificate.base64EncodedString()])
  }

  static let xcodeKey = "Apple_Xcode_Key"

  /// The certificates as DER, leaf first; nil if one is not base64.
  var certificates: [Data]? {
    guard let x5c else { return [] }
    let certificates = x5c.compactMap { Data(base64Encoded: $0) }
    return certificates.count == x5c.count ? certificates : nil
  }

  /// The JSON of the header, with the keys in a fixed order.
  func json() throws(SigningError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch {
      throw SigningError(operation: "encode a JWS header", reason: "\(error)")
    }
  }
}
