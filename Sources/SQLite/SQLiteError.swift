/// What SQLite refused, while doing what, in which file.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The primary result code; codes that are not named here stay readable as raw values.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let permission = Code(rawValue: 3)
    package static let busy = Code(rawValue: 5)
    package static let locked = Code(rawValue: 6)
    package static let readOnly = Code(rawValue: 8)
    package static let inputOutput = Code(rawValue: 10)
    package static let corrupt = Code(rawValue: 11)
    package static let full = Code(rawValue: 13)
    package static let cannotOpen = Code(rawValue: 14)
    package static let tooBig = Code(rawValue: 18)
    package static let constraint = Code(rawValue: 19)
    package static let mismatch = Code(rawValue: 20)
    package static let misuse = Code(rawValue: 21)
    package static let notADatabase = Code(rawValue: 26)
  }

  package var code: Code
  /// SQLite's extended result code, for example 1034 for a failed fsync. https://sqlite.org/rescode.html
  package var extendedCode: Int32
  /// The `errno` of the system call that failed; 0 where none did.
  package var systemError: Int32
  /// SQLite's own words.
  package var message: String
  /// What was being done: "open", or the SQL text.
  package var doing: String
  package var path: String

  package init(
    code: Code, extendedCode: Int32? = nil, systemError: Int32 = 0, message: String, doing: String, path: String
  ) {
    self.code = code
    self.extendedCode = extendedCode ?? code.rawValue
    self.systemError = systemError
    self.message = message
    self.doing = doing
    self.path = path
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String { "SQLite could not do '\(doing)' in \(path): \(message) (code \(extendedCode))" }
}
