import ClientNode
import Fleet
import Foundation
import Launch
import Wire

/// `storefleet client --app`: starts the processes of a user's own app, and stays until it is told to end.
struct AppClient: Sendable {
  private static let startingAtOnce = 4
  private static let grace = Duration.seconds(5)

  private let seats: [(name: String, devices: [DeviceRegistration])]
  private let configuration: ClientNodeConfiguration
  private let app: AppExecutable

  init(_ configuration: ClientNodeConfiguration, _ app: AppExecutable) throws {
    do { try configuration.check() } catch {
      throw CommandFailure(error.message, exitCode: .unreachable)
    }
    self.configuration = configuration
    self.app = app
    let devices = configuration.devices.map {
      DeviceRegistration(world: configuration.world, device: $0.name, account: $0.account)
    }
    let size = app.devicesPerProcess
    seats = stride(from: 0, to: devices.count, by: size).map { start in
      let devices = Array(devices[start..<min(start + size, devices.count)])
      return (devices.count == 1 ? devices[0].device : "\(configuration.node)-\(start / size + 1)", devices)
    }
  }

  func run(ready: ReadyFile) async throws -> ExitCode {
    let temporary =
      configuration.storeFolder == nil
      ? FileManager.default.temporaryDirectory.appending(path: "storefleet-\(UUID().uuidString)").path : nil
    let folder = configuration.storeFolder ?? temporary ?? ""
    defer { if let temporary { try? FileManager.default.removeItem(atPath: temporary) } }
    let apps = AppProcesses(
      .init(
        app: app, endpoint: configuration.requestsEndpoint, token: configuration.token, world: configuration.world,
        folder: folder, launchesApps: configuration.launchesApps, log: { "\(folder)/\($0)/log" }),
      lifeline: try Lifeline())
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await crash in apps.crashes { LogLine.write(crash) }
        }
        defer { group.cancelAll() }
        try await start(apps)
        LogLine.write("ready: \(configuration.devices.count) devices; their logs are in \(folder)")
        try ready.announce(["node": configuration.node, "devices": "\(configuration.devices.count)"])
        await Cancellation.wait()
      }
    } catch {
      await apps.stop(grace: AppClient.grace)
      throw (error as? FleetError).map { CommandFailure($0.message, exitCode: .unreachable) } ?? error
    }
    await apps.stop(grace: AppClient.grace)
    LogLine.write("stopped")
    return .ok
  }

  private func start(_ apps: AppProcesses) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, seat) in seats.enumerated() {
        if index >= AppClient.startingAtOnce { try await group.next() }
        group.addTask { try await apps.start(seat.name, seat.devices) }
      }
      try await group.waitForAll()
    }
  }
}
