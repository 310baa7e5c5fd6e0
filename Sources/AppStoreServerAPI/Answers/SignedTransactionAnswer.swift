import Foundation

/// The body of a look-up by id, as it is kept: `{"signedTransactionInfo":"…"}`.
enum SignedTransactionAnswer {
  private static let start = Data(#"{"signedTransactionInfo":""#.utf8)
  private static let end = Data(#""}"#.utf8)

  static func body(_ jws: Data) -> Data { start + jws + end }
}
