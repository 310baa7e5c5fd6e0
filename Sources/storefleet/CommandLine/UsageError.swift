/// A command line that cannot be understood: one sentence, exit code 2, and the command whose help explains it.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  let message: String

  init(_ message: String) { self.message = message }

  var description: String { message }
}
