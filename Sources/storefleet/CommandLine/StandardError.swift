import Glibc

/// Writes to standard error at once, a whole line by one call, so that lines of several threads do not mix.
enum StandardError {
  static var isTerminal: Bool { isatty(2) == 1 }

  static func print(_ text: String) { write(text + "\n") }

  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // Nothing can be done for a reader that has gone.
      _ = Glibc.write(2, bytes.baseAddress, bytes.count)
    }
  }
}
