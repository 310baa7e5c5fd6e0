import Foundation
import Shared
import Testing

@Suite struct Base64URLTests {
  /// RFC 4648 §10, without the padding.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func textsOfTheStandardComeOutBothWays(plain: String, text: String) {
    #expect(Base64URL.encode(Data(plain.utf8)) == text)
    #expect(Base64URL.decode(text) == Data(plain.utf8))
  }

  @Test func theURLAlphabetReplacesPlusAndSlash() {
    #expect(Base64URL.encode(Data([0xFB, 0xFF, 0xBF])) == "-_-_")
    #expect(Base64URL.decode("-_-_") == Data([0xFB, 0xFF, 0xBF]))
    #expect(Base64URL.decode("+/+/") == nil)
  }

  @Test func everyLengthAgreesWithFoundation() {
    var random = SeededGenerator(seed: 1)
    for count in 0..<300 {
      let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      let padded = data.base64EncodedString()
      let expected = padded.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      #expect(Base64URL.encode(data) == expected)
      #expect(Base64URL.decode(expected) == data)
    }
  }

  @Test(arguments: ["A", "AAAAA", "Zg==", "Zm8=", " Zg", "Zg\n", "Z g", "Zé", "Zm9v.", "Zh", "Zm9"])
  func paddingSpaceStrangersAndStrayBitsAreRefused(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func aSliceOfDataIsReadFromItsOwnStart() {
    let slice = Data("....Zm9v....".utf8)[4..<8]
    #expect(Base64URL.decode(slice) == Data("foo".utf8))
    #expect(Base64URL.encode(Data("xxfooyy".utf8)[2..<5]) == "Zm9v")
  }
}
