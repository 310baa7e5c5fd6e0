public import Foundation

/// Puts the values into a message. Numbers and truth values are public unless said otherwise, everything else is
/// private.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

  public mutating func appendLiteral(_ literal: String) { text += literal }

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(align.applied(to: value()), privacy, isPublic: false)
  }

  // Numbers have forms of their own below.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(align.applied(to: value().description), privacy, isPublic: false)
  }

  public mutating func appendInterpolation<T: BinaryInteger>(
    _ value: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(align.applied(to: format.text(of: value())), privacy, isPublic: true)
  }

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(align.applied(to: format.text(of: value())), privacy, isPublic: true)
  }

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(align.applied(to: format.text(of: Double(value()))), privacy, isPublic: true)
  }

  public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
    append(String(value()), privacy, isPublic: true)
  }

  public mutating func appendInterpolation(_ value: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto) {
    append(String(describing: value()), privacy, isPublic: false)
  }

  public mutating func appendInterpolation(_ value: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto) {
    append(value().map { $0.description } ?? "(null)", privacy, isPublic: false)
  }

  public mutating func appendInterpolation(_ value: @autoclosure () -> any Any.Type, privacy: OSLogPrivacy = .auto) {
    append(String(describing: value()), privacy, isPublic: true)
  }

  private mutating func append(_ value: String, _ privacy: OSLogPrivacy, isPublic: Bool) {
    text += privacy.shown(value, isPublicByDefault: isPublic, revealed: LogOutput.showsPrivateValues)
  }
}
