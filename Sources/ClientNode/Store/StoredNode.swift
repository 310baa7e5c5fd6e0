package import Wire

/// What a client node's local store holds.
package struct StoredNode: Sendable {
  /// As the server described it last; nil before the first contact.
  package var world: WorldDescription?
  package var devices: [String: StoredDevice]
  package var unanswered = UnansweredRequests()

  package init(world: WorldDescription? = nil, devices: [String: StoredDevice] = [:]) {
    self.world = world
    self.devices = devices
  }
}
