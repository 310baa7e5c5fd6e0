/// What the processes of a load run had used at its turns.
package struct LoadUsage: Hashable, Sendable {
  /// The client processes when they had registered their devices and launched none.
  package var clientsReady = ProcessUsage()
  /// When every app was launched, right before the first purchase.
  package var clientsLaunched = ProcessUsage()
  package var clientsAfter = ProcessUsage()
  package var serverBefore = ProcessUsage()
  package var serverAfter = ProcessUsage()

  package init() {}
}
