package import Foundation

/// What one actor does to another: committed with its cause, delivered until the target has applied it.
package struct OutboundEffect: Hashable, Sendable {
  package var id: EffectID
  package var name: String
  /// JSON.
  package var body: Data

  package init(id: EffectID, name: String, body: Data) {
    self.id = id
    self.name = name
    self.body = body
  }
}
