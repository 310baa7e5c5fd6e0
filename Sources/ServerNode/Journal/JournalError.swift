/// Why the journal could not do it: one sentence for a person, and whether to try again.
package struct JournalError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The file or folder cannot be opened or written.
    case unwritable
    /// No space left.
    case full
    /// Written by a version that this build does not know.
    case unknownFormat
    /// Not a journal, or damaged.
    case corrupt
    /// Another process has it.
    case busy
    /// Anything else.
    case failed
  }

  package var code: Code
  /// What, where, what was expected, what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
