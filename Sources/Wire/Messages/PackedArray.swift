package import Foundation

/// A value of a fixed number of bytes.
package protocol PackedElement: Sendable {
  static var packedSize: Int { get }
  func pack(into bytes: inout Data)
  /// `packed` has `packedSize` bytes and begins at index 0.
  init(packed: Data)
}

/// Many small values, as bytes back to back: what JSON would take a hundred bytes and a microsecond for.
package struct PackedArray<Element: PackedElement>: Codable, Hashable, Sendable {
  private var bytes = Data()

  package init() {}

  package init(_ elements: some Sequence<Element>) { elements.forEach { append($0) } }

  package var count: Int { bytes.count / Element.packedSize }

  package mutating func append(_ element: Element) { element.pack(into: &bytes) }

  package var elements: [Element] {
    (0..<count).map { Element(packed: Data(bytes[$0 * Element.packedSize..<($0 + 1) * Element.packedSize])) }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    bytes = Data(try container.decode(Data.self))
    guard bytes.count.isMultiple(of: Element.packedSize) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(bytes.count) bytes are no multiple of \(Element.packedSize)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes)
  }
}

extension Data {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Precondition: the data begins at index 0 and holds the whole integer.
  func integer<Value: FixedWidthInteger>(at offset: Int) -> Value {
    withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }
}
