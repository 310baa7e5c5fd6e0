/// The products of the demo catalogue that the stories need.
enum Item: String, CaseIterable {
  /// Level 1 of the group Premium; begins with a week for free.
  case yearly = "yearly"
  /// Level 2; begins with a week for free.
  case monthly = "monthly"
  /// Level 3; no offer, not for families.
  case basic = "basic.monthly"
  /// A weekly plan in a group of its own, without an offer.
  case weekly = "cloud.weekly"
  case lifetime
  case coins = "coins"
  case pass = "season"

  static let prefix = "com.example.app."

  var id: String { Item.prefix + rawValue }

  init?(id: String) {
    guard id.hasPrefix(Item.prefix) else { return nil }
    self.init(rawValue: String(id.dropFirst(Item.prefix.count)))
  }
}
