/// The order id on the receipt that a customer gets by mail, such as `M0000Z9KQ4C`: another spelling of the
/// transaction's id.
package enum OrderID {
  /// Without the letters that are easily misread.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let count = 10

  package static func of(_ id: TransactionID) -> String? {
    guard var rest = StoreNumbers.offset(of: id) else { return nil }
    var text: [UInt8] = []
    while rest > 0 || text.count < count {
      text.append(digits[Int(rest % 32)])
      rest /= 32
    }
    return "M" + String(decoding: text.reversed(), as: UTF8.self)
  }

  /// Nil for what is no order id.
  package static func transaction(_ text: String) -> TransactionID? {
    guard text.utf8.first == UInt8(ascii: "M"), (count + 1...14).contains(text.utf8.count) else { return nil }
    var offset: UInt64 = 0
    for byte in text.utf8.dropFirst() {
      guard let digit = digits.firstIndex(of: byte) else { return nil }
      offset = offset << 5 | UInt64(digit)
    }
    guard let id = StoreNumbers.transactionId(offset: offset), of(id) == text else { return nil }
    return id
  }
}
