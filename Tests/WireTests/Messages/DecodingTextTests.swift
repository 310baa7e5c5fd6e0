import Foundation
import Testing
import Wire

/// What is said of a body that does not fit its message.
struct DecodingTextTests {
  @Test(
    arguments: [
      (#"{"productId":"p","quantity":1.5}"#, "quantity is 1.5: expected a whole number within the field's range"),
      (#"{"productId":"p","quantity":1e40}"#, "quantity is 1e+40: expected a whole number within the field's range"),
      (#"{"productId":"p","quantity":"x"}"#, "quantity is not a whole number"),
      (#"{"productId":5,"quantity":1}"#, "productId is not a string"),
      (#"{"productId":"p","quantity":1,"wait":3}"#, "wait is not true or false"),
      (#"{"productId":"p","quantity":1,"wait":true,"intendedAt":-1.25}"#, "intendedAt is -1.25"),
      (#"{"quantity":1}"#, "'productId' is missing at the top level"),
      ("[]", "the top level is not an object"),
      (#"{"productId":"p""#, "not valid JSON"),
    ])
  func bodyThatDoesNotFitIsToldWhereAndWhy(body: String, sentence: String) {
    let error = #expect(throws: WireError.self) { try WireJSON.decode(TapBuy.self, from: Data(body.utf8)) }
    #expect(error?.code == .badBody)
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }

  /// However deep it goes, nothing is looked at twice without an end.
  @Test func deepBodiesAreRefused() {
    for body in [String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000)] {
      let error = #expect(throws: WireError.self) { try WireJSON.decode(TapBuy.self, from: Data(body.utf8)) }
      #expect(error?.code == .badBody)
    }
  }
}
