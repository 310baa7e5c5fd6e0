package import Wire

/// What a step does to hold up, refuse or break what devices ask for.
package enum FaultAction: Sendable, Hashable {
  case gate(HoldGate)
  case fail(SetSimulatedError)
  case allowPurchases(Bool)
  case network(NetworkFaults?)
  case interrupt(Bool)
}

/// Whom a fault is for.
package enum FaultTarget: Sendable, Hashable {
  case devices([String])
  case account(String)
  /// A client process, from 1.
  case client(Int)
  case world
}
