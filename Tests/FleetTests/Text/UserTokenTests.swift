import Foundation
import Testing

@testable import Fleet

struct UserTokenTests {
  @Test func uuidsAreThemselvesAndNamesAreAlwaysTheSame() throws {
    let word = "1f0e8a52-4f0c-4a7e-9b53-2f8f3a1d6c77"
    #expect(try UserToken.checked(word).uuidString.lowercased() == word)
    #expect(try UserToken.checked(word.uppercased()) == UUID(uuidString: word))
    for name in ["ann", "Zoë", "ann-2-b", "deadbeef", "abcdefgh-user", "user 12345678-1234"] {
      #expect(try UserToken.checked(name) == UserToken.of(name), "\(name)")
    }
  }

  /// Taken for a name, each of them would silently be another user.
  @Test(
    arguments: [
      "", "12345678-1234-1234-1234-12345678901", "12345678-1234-1234-1234-1234567890123",
      "1f0e8a52-4f0c-4a7e-9b53", "1f0e8a52-4f0c-4a7e-9b53-2f8f3a1d6c7g", "1f0e8a524f0c4a7e9b532f8f3a1d6c77",
      "{1f0e8a52-4f0c-4a7e-9b53-2f8f3a1d6c77}", "1f0e8a52-4foc-4a7e-9b53-2f8f3a1d6c77",
    ])
  func aSlipInAUUIDIsRefused(word: String) {
    #expect(throws: NameError.self) { try UserToken.checked(word) }
  }
}
