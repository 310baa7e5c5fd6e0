import Foundation
import Testing

@testable import Shared

@Suite struct OffersKeyTests {
  private let message = Data("what is offered".utf8)

  @Test func signatureIsValidForItsMessageAndKeyAlone() throws {
    let key = try OffersKey.generate(id: "K")
    let other = try OffersKey.generate(id: "K")
    let signature = try key.sign(message)
    #expect(key.isValid(signature, of: message))
    #expect(!key.isValid(signature, of: message + [0]))
    #expect(!other.isValid(signature, of: message))
  }

  @Test func bytesThatAreNoSignatureAreInvalid() throws {
    let key = try OffersKey.generate(id: "K")
    let signature = try key.sign(message)
    let text = Data(signature.base64EncodedString().utf8)
    for bytes in [Data(), Data([0x30]), signature.dropLast(), text, Data(text.base64EncodedString().utf8)] {
      #expect(!key.isValid(bytes, of: message))
    }
    #expect(!key.isValid(Data(repeating: 0x30, count: 1_000_000), of: message))
    #expect(key.isValid((Data([1]) + signature).dropFirst(), of: message), "a slice counts as its bytes")
  }

  @Test func keyIsReadAsPEMAndAsBase64() throws {
    let key = try OffersKey.generate(id: "K")
    let pem = try key.privateKeyPEM()
    let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    for text in [pem, base64] {
      #expect(try OffersKey(id: "K", privateKey: text).isValid(key.sign(message), of: message))
    }
    for text in ["", "no key", pem + pem] {
      #expect(throws: SigningError.self) { try OffersKey(id: "K", privateKey: text) }
    }
  }

  @Test func keyIsNeverPrinted() throws {
    let key = try OffersKey.generate(id: "K1")
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] { #expect(text.contains("K1") && !text.contains("BEGIN")) }
  }

  @Test func jwsIsReadWithItsOwnKeyAlone() throws {
    let key = try OffersKey.generate(id: "K")
    let jws = try key.jws(Data("{}".utf8))
    #expect(String(decoding: jws.headerData, as: UTF8.self) == #"{"alg":"ES256","kid":"K","typ":"JWT"}"#)
    #expect(try key.payload(of: jws.string) == Data("{}".utf8))
    let sameName = try OffersKey.generate(id: "K")
    #expect(throws: VerificationFailure.invalidSignature) { try sameName.payload(of: jws.string) }
    let sameKey = try OffersKey(id: "L", privateKey: key.privateKeyPEM())
    #expect(throws: VerificationFailure.invalidSignature) { try sameKey.payload(of: jws.string) }
    for text in ["", "a.b", "a.b.c", jws.string + ".e30"] {
      #expect(throws: VerificationFailure.invalidEncoding) { try key.payload(of: text) }
    }
  }

  /// The order, the separator and the case of the letters are Apple's.
  @Test func messageOfAPromotionalOfferIsJoinedInLowerCase() throws {
    let token = try #require(UUID(uuidString: "7E3FB204-942C-4A8E-9C0E-3D851E9B6F10"))
    let nonce = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    var message = PromotionalOfferMessage(
      bundleId: "com.example.app", keyId: "K", productId: "p", offerId: "o", appAccountToken: token, nonce: nonce,
      timestamp: 1_700_000_000_000)
    let separator = "\u{2063}"
    var parts = [
      "com.example.app", "K", "p", "o", "7e3fb204-942c-4a8e-9c0e-3d851e9b6f10",
      "00112233-4455-6677-8899-aabbccddeeff", "1700000000000",
    ]
    #expect(String(decoding: message.data, as: UTF8.self) == parts.joined(separator: separator))
    message.appAccountToken = nil
    parts[4] = ""
    #expect(String(decoding: message.data, as: UTF8.self) == parts.joined(separator: separator))
  }
}
