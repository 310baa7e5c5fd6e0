package import Foundation

/// Reads what the store has signed.
package enum SignedPayload {
  static let takesFractions = CodingUserInfoKey(rawValue: "takesFractions")!

  /// Xcode's times have fractions of a millisecond, which are cut off; nobody else's have.
  package static func decode<Payload: Decodable>(_ type: Payload.Type, from json: Data) throws -> Payload {
    let decoder = JSONDecoder()
    decoder.userInfo[takesFractions] = true
    return try decoder.decode(type, from: json)
  }
}
