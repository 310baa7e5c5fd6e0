import Foundation
import Shared
import Testing

@Suite struct CompactJWSTests {
  @Test func partsAreThoseOfTheText() throws {
    let jws = try CompactJWS("eyJhIjoxfQ.e30.AAEC")
    #expect(jws.headerData == Data(#"{"a":1}"#.utf8))
    #expect(jws.payloadData == Data("{}".utf8))
    #expect(jws.signatureData == Data([0, 1, 2]))
    #expect(jws.signedData == Data("eyJhIjoxfQ.e30".utf8))
    #expect(jws.string == "eyJhIjoxfQ.e30.AAEC")
  }

  @Test func aSliceOfAFrameIsSplitFromItsOwnStart() throws {
    let frame = Data("xxxxeyJhIjoxfQ.e30.AAECyyyy".utf8)
    let jws = try CompactJWS(frame[4..<23])
    #expect(jws == (try CompactJWS("eyJhIjoxfQ.e30.AAEC")))
    #expect(jws.payloadData == Data("{}".utf8))
    #expect(jws.signedData == Data("eyJhIjoxfQ.e30".utf8))
  }

  @Test(arguments: [
    "", ".", "..", "e30", "e30.e30", "e30.e30.", ".e30.AAEC", "e30..AAEC", "e30.e30.AAEC.AAEC", "e30.e30.A",
  ])
  func otherThanThreeEncodedPartsIsInvalidEncoding(text: String) {
    #expect(throws: VerificationFailure.invalidEncoding) { try CompactJWS(text) }
  }
}
