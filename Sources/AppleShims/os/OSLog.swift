public import Foundation

/// A log of a subsystem's category.
///
/// Apple: https://developer.apple.com/documentation/os/oslog
public final class OSLog: NSObject, Sendable {
  public struct Category: Hashable, Sendable {
    public let rawValue: String
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
  }

  let subsystem: String
  let category: String
  let isDisabled: Bool

  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    isDisabled = false
  }

  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private init(isDisabled: Bool) {
    subsystem = ""
    category = ""
    self.isDisabled = isDisabled
  }

  public static let `default` = OSLog(isDisabled: false)
  public static let disabled = OSLog(isDisabled: true)

  /// Whether a message of this level is written.
  public func isEnabled(type: OSLogType) -> Bool { !isDisabled && type.rank >= LogOutput.leastRank }
}
