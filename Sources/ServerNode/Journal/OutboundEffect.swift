package import Foundation
import Wire

/// What one actor does to another: committed with its cause, delivered until the target has applied it.
package struct OutboundEffect: Sendable {
  package var id: EffectID
  package var name: String
  private var content: Content

  private enum Content: Sendable {
    case written(Data)
    /// Not written yet: one that is applied in the commit that sends it never is.
    case decided(TimedEffect)
  }

  package init(id: EffectID, name: String, body: Data) {
    self.id = id
    self.name = name
    content = .written(body)
  }

  init(id: EffectID, _ effect: TimedEffect) {
    self.id = id
    name = effect.effect.name
    content = .decided(effect)
  }

  /// JSON.
  package var body: Data {
    switch content {
    case .written(let body): body
    case .decided(let effect): effect.json
    }
  }

  func timed() throws(WireError) -> TimedEffect {
    switch content {
    case .written(let body): try WireJSON.decode(TimedEffect.self, from: body)
    case .decided(let effect): effect
    }
  }

  /// As it comes back from a disk.
  var written: OutboundEffect { OutboundEffect(id: id, name: name, body: body) }

  /// About how many bytes a journal has to store for it.
  var byteCount: Int {
    switch content {
    case .written(let body): name.utf8.count + body.count
    case .decided: OutboundEffect.usualByteCount
    }
  }

  private static let usualByteCount = 1_024
}

extension OutboundEffect: Hashable {
  package static func == (left: OutboundEffect, right: OutboundEffect) -> Bool {
    left.id == right.id && left.name == right.name && left.body == right.body
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
  }
}
