/// One launch of one device's app.
package struct AppID: Hashable, Sendable {
  package var device: String
  package var incarnation: UInt64

  package init(device: String, incarnation: UInt64) {
    self.device = device
    self.incarnation = incarnation
  }
}
