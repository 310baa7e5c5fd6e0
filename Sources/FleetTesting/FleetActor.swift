package import Wire

/// Who is part of a fleet and can be asked.
package protocol FleetActor: Sendable {
  var address: ActorAddress { get }
}
