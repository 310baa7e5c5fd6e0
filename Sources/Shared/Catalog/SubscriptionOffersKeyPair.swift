/// The key with which a configuration file signs promotional offers.
///
/// The private key must never be printed: descriptions and mirrors leave it out, and it is not `Codable`.
package struct SubscriptionOffersKeyPair: Sendable, Hashable {
  package let id: String
  /// As in the file.
  package let privateKey: String

  package init(id: String, privateKey: String) {
    self.id = id
    self.privateKey = privateKey
  }
}

extension SubscriptionOffersKeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "SubscriptionOffersKeyPair(id: \(id), privateKey: <secret>)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
