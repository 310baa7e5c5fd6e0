/// Who may see a value in a message.
public struct OSLogPrivacy: Hashable, Sendable {
  public enum Mask: Hashable, Sendable {
    /// A text that is the same for the same value within one process.
    case hash
    case none
  }

  enum Kind: Hashable {
    case auto, open, hidden, sensitive
  }

  let kind: Kind
  var mask = Mask.none

  public static let auto = OSLogPrivacy(kind: .auto)
  public static let `public` = OSLogPrivacy(kind: .open)
  public static let `private` = OSLogPrivacy(kind: .hidden)
  public static let sensitive = OSLogPrivacy(kind: .sensitive)

  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

  /// The value as it is written.
  func shown(_ value: String, isPublicByDefault: Bool, revealed: Bool) -> String {
    if kind == .open || (kind == .auto && isPublicByDefault) { return value }
    if mask == .hash { return "<mask.hash: '\(String(UInt(bitPattern: value.hashValue), radix: 16))'>" }
    if revealed { return value }
    return kind == .sensitive ? "<sensitive>" : "<private>"
  }
}
