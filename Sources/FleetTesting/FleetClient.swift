import Fleet
import Wire

/// A process with devices, by its number from 1.
///
/// Devices of Storefleet's own app are spread over the client processes in order of their names. With an app of one's own
/// each device has a process, in that order, or as many share one as `FleetApp` says.
public struct FleetClient: Sendable {
  let fleet: Fleet
  public let number: Int

  /// Kills the process, as a crash does, and leaves it dead.
  public func kill() async { await fleet.processes.killClient(number) }

  /// Starts the process again, with what its devices have on disk. Their apps do not run: `FleetDevice.launch()` them.
  public func restart() async throws {
    try await FleetTestingError.translating { try await fleet.processes.restartClient(number) }
  }

  /// Puts a network between all devices of the process and the App Store, their common requests included; `.good` takes
  /// it away.
  public func network(_ network: FleetNetwork) async throws {
    let name = await fleet.processes.clientName(number)
    _ = try await fleet.tell(SetNetworkFaults(faults: network.faults), fleet.address(.node, name))
  }
}
