/// A client node's connections that carry requests.
package enum ClientLink: Hashable, Sendable, CaseIterable {
  /// What the phones say to the store; cut for a device that is offline.
  case store
  /// What people say to the phones, and the phones' reports; never cut.
  case control
}
