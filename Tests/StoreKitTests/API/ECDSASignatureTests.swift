import Foundation
import StoreKit
import Testing

@Suite struct ECDSASignatureTests {
  private let raw = Data([UInt8](repeating: 0, count: 31) + [5] + [0x80] + [UInt8](repeating: 1, count: 31))

  @Test func derHasTheShortestIntegers() {
    let expected = [0x30, 38, 0x02, 1, 5, 0x02, 33, 0, 0x80] + [UInt8](repeating: 1, count: 31)
    #expect(P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation == Data(expected))
  }

  @Test func itsBytesAreTheRawOnes() {
    let signature = P256.Signing.ECDSASignature(rawRepresentation: raw)
    #expect(signature.withUnsafeBytes { Data($0) } == signature.rawRepresentation)
  }
}
