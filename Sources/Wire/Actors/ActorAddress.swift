/// Where a message goes: `world/kind/key`, for example `demo/account/alice`.
///
/// The sender neither knows nor cares which process the actor lives in, or whether it is awake.
package struct ActorAddress: Hashable, Sendable {
  /// What an actor is. Kinds that this build does not know stay readable as raw values.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// An Apple Account at this app: owns transactions.
    package static let account = Kind(rawValue: "account")
    /// Up to six accounts: owns the membership and what is shared.
    package static let family = Kind(rawValue: "family")
    /// The developer's own app user, named by an `appAccountToken`.
    package static let user = Kind(rawValue: "user")
    /// An app on a simulated phone; lives on a client node.
    package static let device = Kind(rawValue: "device")
    /// One isolated App Store: owns the catalogue and the clock.
    package static let world = Kind(rawValue: "world")
    /// What a world tells the developer's server.
    package static let notifications = Kind(rawValue: "notifications")
    /// A process.
    package static let node = Kind(rawValue: "node")
  }

  package let world: String
  package let kind: Kind
  package let key: String

  package init(world: String, kind: Kind, key: String) {
    self.world = world
    self.kind = kind
    self.key = key
  }

  /// The kind is left out: a world has few actors of one key, and addresses are hashed all the time.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(world)
    hasher.combine(key)
  }

  /// The actor that sends a world's notifications.
  package static func notifications(of world: String) -> ActorAddress {
    ActorAddress(world: world, kind: .notifications, key: world)
  }

  /// Parses `world/kind/key`; nil when a part is missing, empty, too long or has a character that names may not have.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ ActorAddress.isName($0) }) else { return nil }
    self.init(world: String(parts[0]), kind: Kind(rawValue: String(parts[1])), key: String(parts[2]))
  }

  /// Whether `text` can name a world, an account, a device and so on: 1 to 128 of `A-Z a-z 0-9 . _ - + @`, though not `.`
  /// and `..`, since names become names of files and folders.
  package static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 128
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "@"): true
        default: false
        }
      }
  }

  /// The topic of this actor's events. It ends in a terminator that no name contains, so that the topic of
  /// `device/1` is no prefix of the topic of `device/10`.
  package var topic: String { description + ";" }
}

extension ActorAddress: CustomStringConvertible {
  package var description: String { "\(world)/\(kind.rawValue)/\(key)" }
}

extension ActorAddress: Comparable {
  package static func < (left: ActorAddress, right: ActorAddress) -> Bool {
    (left.world, left.kind.rawValue, left.key) < (right.world, right.kind.rawValue, right.key)
  }
}

extension ActorAddress: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let address = ActorAddress(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not world/kind/key")
    }
    self = address
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
