package import Wire

/// What one turn of a client node changes in its local store, all or nothing.
package struct StoreWrite: Sendable {
  package var world: WorldDescription?
  package var devices: [DeviceWrite]

  package init(world: WorldDescription? = nil, devices: [DeviceWrite] = []) {
    self.world = world
    self.devices = devices
  }
}
