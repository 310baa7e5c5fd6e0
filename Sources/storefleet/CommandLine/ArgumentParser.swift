import CLinux
import Glibc
import Shared
import Synchronization

/// Reads the words after a command's name with glibc's `getopt_long`.
///
/// So everything works as in any GNU program: `--name value`, `--name=value`, `-nvalue`, flags together as in `-vq`,
/// unambiguous abbreviations, options after operands, and `--` before operands that start with a dash. getopt keeps its
/// state in globals; a lock lets one parse run at a time, and each starts afresh.
struct ArgumentParser: Sendable {
  private static let getopt = Mutex(())
  /// Long options without a short one get numbers that no character has.
  private static let firstNumber: Int32 = 1_000

  let command: Command

  /// - Parameter words: What follows the command's name.
  func parse(_ words: [String]) throws(UsageError) -> Arguments {
    // A C string ends at its first zero, so a word with one would silently be cut.
    if words.contains(where: { $0.utf8.contains(0) }) { throw UsageError("an argument contains a zero byte") }
    let result = Self.getopt.withLock { _ in Result { () throws(UsageError) in try parseAlone(words) } }
    let arguments = try result.get()
    if !arguments.has(.help) { try check(arguments.operands) }
    return arguments
  }

  private func parseAlone(_ words: [String]) throws(UsageError) -> Arguments {
    var vector = ([command.name] + words).map { strdup($0) } + [nil]
    // getopt moves the operands to the end, so the pointers are freed from this second array.
    let owned = vector
    defer { owned.forEach { free($0) } }
    let names = command.options.map { strdup($0.long) }
    defer { names.forEach { free($0) } }
    var longOptions = zip(command.options, names).enumerated().map { index, pair in
      option(
        name: pair.1, has_arg: pair.0.valueName == nil ? no_argument : required_argument, flag: nil,
        val: Self.firstNumber + Int32(index))
    }
    longOptions.append(option())
    // The colon in front tells a missing value from an unknown option.
    let shortOptions = command.options.reduce(into: ":") { text, option in
      if let short = option.short { text += option.valueName == nil ? "\(short)" : "\(short):" }
    }

    var given: [String: [String]] = [:]
    let count = Int32(words.count + 1)
    clinux_getopt_restart()
    while true {
      let found = getopt_long(count, &vector, shortOptions, longOptions, nil)
      if found == -1 { break }
      let word = text(at: clinux_getopt_index() - 1, in: vector)
      if found == Int32(UInt8(ascii: ":")) { throw missingValue(of: clinux_getopt_option()) }
      guard let option = declaredOption(numbered: found) else { throw unknown(word, clinux_getopt_option(), of: words) }
      let value = clinux_getopt_argument().map { String(cString: $0) } ?? ""
      guard !value.isEmpty || option.mayBeEmpty else {
        throw UsageError("option '--\(option.long)' is empty: --\(option.long) \(option.valueName ?? "")")
      }
      given[option.long, default: []].append(value)
    }
    let operands = (clinux_getopt_index()..<count).map { text(at: $0, in: vector) }
    return Arguments(given: given, operands: operands)
  }

  private func declaredOption(numbered number: Int32) -> Option? {
    let index = Int(number - Self.firstNumber)
    if command.options.indices.contains(index) { return command.options[index] }
    return command.options.first { $0.short?.asciiValue.map(Int32.init) == number }
  }

  private func text(at index: Int32, in vector: [UnsafeMutablePointer<CChar>?]) -> String {
    guard vector.indices.contains(Int(index)), let word = vector[Int(index)] else { return "" }
    return String(cString: word)
  }

  private func missingValue(of number: Int32) -> UsageError {
    guard let option = declaredOption(numbered: number) else { return UsageError("an option lacks its value") }
    return UsageError("option '--\(option.long)' needs a value: --\(option.long) \(option.valueName ?? "")")
  }

  /// - Parameters:
  ///   - word: The word that getopt stopped at.
  ///   - words: All of them.
  ///   - number: The short option in it; 0 when the word is a long option that is unknown or ambiguous.
  private func unknown(_ word: String, _ number: Int32, of words: [String]) -> UsageError {
    if let option = declaredOption(numbered: number), option.valueName == nil, word.hasPrefix("--") {
      return UsageError("option '--\(option.long)' takes no value")
    }
    if number != 0 {
      // A letter beyond ASCII arrives as one of its bytes, which is nothing to show.
      guard let byte = UInt8(exactly: number), byte < 128 else {
        return UsageError("unknown option: only ASCII letters can follow a single dash")
      }
      let letter = UnicodeScalar(byte)
      if ("0"..."9").contains(letter), let why = command.operands.lazy.compactMap(\.ifNegative).first {
        let negative = words.first { $0.hasPrefix("-\(letter)") } ?? word
        return UsageError("'\(negative)' is negative: \(why)")
      }
      return UsageError("unknown option '-\(letter)'")
    }
    let name = String(word.dropFirst(2).prefix { $0 != "=" })
    let matches = command.options.map(\.long).filter { $0.hasPrefix(name) }
    if matches.count > 1 {
      return UsageError("option '--\(name)' could be \(matches.map { "--\($0)" }.joined(separator: " or "))")
    }
    let guess = Spelling.closest(to: name, among: command.options.map(\.long)).map { ": did you mean '--\($0)'?" }
    return UsageError("unknown option '--\(name)'\(guess ?? "")")
  }

  private func check(_ words: [String]) throws(UsageError) {
    let required = command.operands.filter(\.isRequired)
    if words.count < required.count {
      let missing = required[words.count]
      throw UsageError("\(missing.name) is missing: \(missing.help)")
    }
    for (index, word) in words.enumerated() where word.isEmpty {
      // The last operand may be repeated.
      guard let operand = command.operands.dropFirst(index).first ?? command.operands.last else { break }
      throw UsageError("\(operand.name) is empty: \(operand.help)")
    }
    if !command.operands.contains(where: \.isRepeated), words.count > command.operands.count {
      throw UsageError("unexpected argument '\(words[command.operands.count])'")
    }
  }
}
