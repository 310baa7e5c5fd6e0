package import Foundation

/// Base64 with the URL alphabet and no padding (RFC 4648 §5, as RFC 7515 uses it).
///
/// Decoding is strict: no padding, no white space, no stray bits after the last byte. So each byte string has one text,
/// and a change of any character of a text changes the bytes or is refused.
package enum Base64URL {
  package static func encode(_ data: Data) -> String {
    String(unsafeUninitializedCapacity: encodedCount(data.count)) { output in
      data.withUnsafeBytes { encode($0, into: UnsafeMutableRawBufferPointer(output)) }
    }
  }

  /// The bytes that the text stands for, or nil if it is not unpadded base64url.
  package static func decode(_ text: String) -> Data? {
    var text = text
    return text.withUTF8 { decode(UnsafeRawBufferPointer($0)) }
  }

  /// The bytes that the ASCII text stands for, or nil if it is not unpadded base64url.
  package static func decode(_ text: Data) -> Data? {
    text.withUnsafeBytes { decode($0) }
  }

  /// How many characters `count` bytes become.
  static func encodedCount(_ count: Int) -> Int { count / 3 * 4 + [0, 2, 3][count % 3] }

  /// Writes the text of `input` to the start of `output`, which must have room; returns how many characters it wrote.
  @discardableResult
  static func encode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
    let count = encodedCount(input.count)
    precondition(output.count >= count, "base64url output has no room")
    let alphabet = alphabet.utf8Start
    var read = 0
    var written = 0
    while read + 3 <= input.count {
      let word = UInt32(input[read]) << 16 | UInt32(input[read + 1]) << 8 | UInt32(input[read + 2])
      output[written] = alphabet[Int(word >> 18)]
      output[written + 1] = alphabet[Int(word >> 12 & 63)]
      output[written + 2] = alphabet[Int(word >> 6 & 63)]
      output[written + 3] = alphabet[Int(word & 63)]
      read += 3
      written += 4
    }
    switch input.count - read {
    case 1:
      let word = UInt32(input[read]) << 4
      output[written] = alphabet[Int(word >> 6)]
      output[written + 1] = alphabet[Int(word & 63)]
    case 2:
      let word = UInt32(input[read]) << 10 | UInt32(input[read + 1]) << 2
      output[written] = alphabet[Int(word >> 12)]
      output[written + 1] = alphabet[Int(word >> 6 & 63)]
      output[written + 2] = alphabet[Int(word & 63)]
    default:
      break
    }
    return count
  }

  /// Whether ``decode(_:)`` would give bytes, without making them.
  static func isValid(_ input: UnsafeRawBufferPointer) -> Bool {
    guard input.count % 4 != 1 else { return false }
    return values.withUnsafeBufferPointer { values in
      var seen: UInt8 = 0
      for byte in input { seen |= values[Int(byte)] }
      return seen & 0x80 == 0 && hasNoStrayBits(input, values)
    }
  }

  static func decode(_ input: UnsafeRawBufferPointer) -> Data? {
    guard isValid(input) else { return nil }
    var data = Data(count: input.count / 4 * 3 + [0, 0, 1, 2][input.count % 4])
    data.withUnsafeMutableBytes { (output: UnsafeMutableRawBufferPointer) in
      values.withUnsafeBufferPointer { values in
        var read = 0
        var written = 0
        while read + 4 <= input.count {
          let high = UInt32(values[Int(input[read])]) << 18 | UInt32(values[Int(input[read + 1])]) << 12
          let word = high | UInt32(values[Int(input[read + 2])]) << 6 | UInt32(values[Int(input[read + 3])])
          output[written] = UInt8(truncatingIfNeeded: word >> 16)
          output[written + 1] = UInt8(truncatingIfNeeded: word >> 8)
          output[written + 2] = UInt8(truncatingIfNeeded: word)
          read += 4
          written += 3
        }
        let rest = input.count - read
        if rest >= 2 { output[written] = values[Int(input[read])] << 2 | values[Int(input[read + 1])] >> 4 }
        if rest == 3 { output[written + 1] = values[Int(input[read + 1])] << 4 | values[Int(input[read + 2])] >> 2 }
      }
    }
    return data
  }

  private static func hasNoStrayBits(_ input: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<UInt8>) -> Bool {
    switch input.count % 4 {
    case 2: values[Int(input[input.count - 1])] & 0x0F == 0
    case 3: values[Int(input[input.count - 1])] & 0x03 == 0
    default: true
    }
  }

  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  private static let invalid: UInt8 = 0xFF

  /// The six bits of each ASCII character, and 0xFF, whose top bit no valid character has, for all others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    alphabet.withUTF8Buffer { characters in
      for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
    }
    return values
  }()
}
