package import Foundation

/// The sending half of a connection that a server node's own process has to it.
package struct LocalPeer: Sendable {
  private let deliver: @Sendable ([Data]) -> Void

  init(deliver: @escaping @Sendable ([Data]) -> Void) { self.deliver = deliver }

  /// Sends the frames of a message. A node that has stopped takes none.
  package func send(_ frames: [Data]) { deliver(frames) }
}
