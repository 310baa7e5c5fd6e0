package import Foundation

/// The `appAccountToken` that a person's word stands for.
package enum UserToken {
  /// A UUID as it is; for any other name the token that scenarios give it.
  package static func of(_ word: String) -> UUID { UUID(uuidString: word) ?? ScenarioUser(name: word).token }

  /// The same, but a UUID with a slip of the pen is not taken for a name: another user would silently be meant.
  package static func checked(_ word: String) throws(NameError) -> UUID {
    guard !word.isEmpty else { throw NameError("'' is no user: expected a name or a UUID") }
    guard UUID(uuidString: word) != nil || !looksLikeUUID(word) else {
      throw NameError(
        "'\(word)' is no UUID, though it looks like one: expected 32 hexadecimal digits as "
          + "1f0e8a52-4f0c-4a7e-9b53-2f8f3a1d6c77 has them, or another name")
    }
    return of(word)
  }

  /// Whether a word begins as UUIDs do, or consists of about as many hexadecimal digits.
  private static func looksLikeUUID(_ word: String) -> Bool {
    let groups = word.split(separator: "-", omittingEmptySubsequences: false)
    if groups.count >= 3, groups[0].count == 8, groups[1].count == 4,
      groups[..<2].allSatisfy({ $0.allSatisfy(\.isHexDigit) })
    {
      return true
    }
    return word.count { $0.isHexDigit } >= 28 && (30...40).contains(word.count) && !word.contains(" ")
  }
}
