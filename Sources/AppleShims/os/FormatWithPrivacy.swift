import Foundation

/// A format of `os_log`, such as `"bought %{public}@ for %d"`.
struct FormatWithPrivacy {
  private let format: String
  private let revealed: Bool

  init(_ format: String, revealed: Bool) {
    self.format = format
    self.revealed = revealed
  }

  /// Too few values are as bad as none: the rest of the format is written as it stands.
  func text(_ values: [Any]) -> String {
    var text = ""
    var rest = format[...]
    var values = values[...]
    while let percent = rest.firstIndex(of: "%") {
      text += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      var options = ""
      if rest.first == "{", let end = rest.firstIndex(of: "}") {
        options = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      }
      guard let end = rest.firstIndex(where: { "@diouxXeEfFgGaAcsp".contains($0) }), let value = values.popFirst()
      else {
        text += "%"
        continue
      }
      let conversion = String(rest[...end])
      rest = rest[rest.index(after: end)...]
      text += shown(value, conversion, options)
    }
    return text + rest
  }

  private func shown(_ value: Any, _ conversion: String, _ options: String) -> String {
    let isObject = conversion.hasSuffix("@") || conversion.hasSuffix("s")
    let isHidden =
      options.contains("private") || options.contains("sensitive") || (isObject && !options.contains("public"))
    if isHidden, !revealed { return options.contains("sensitive") ? "<sensitive>" : "<private>" }
    // A value of another type than the format says is described, where C would read wild memory.
    guard !isObject, value is any BinaryInteger == !"eEfFgGaA".contains(conversion.suffix(1)),
      value is any BinaryInteger || value is any BinaryFloatingPoint, let number = value as? any CVarArg
    else { return String(describing: value) }
    return String(format: "%" + conversion, number)
  }
}
