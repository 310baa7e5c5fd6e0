import Foundation
import StoreKit
import Testing

@Suite struct JWSSignatureTests {
  @Test func derHasTheShortestIntegers() {
    let raw = Data([UInt8](repeating: 0, count: 31) + [5] + [0x80] + [UInt8](repeating: 1, count: 31))
    let expected = [0x30, 38, 0x02, 1, 5, 0x02, 33, 0, 0x80] + [UInt8](repeating: 1, count: 31)
    #expect(JWSSignature(rawRepresentation: raw).derRepresentation == Data(expected))
  }
}
