import CLinux
import ClientNode
import Foundation
import Glibc
import Launch

/// The process of an app: a client node beside it, and a main thread that is the app's.
enum DeviceProcess {
  private static let usage = """
    this app runs on simulated devices, which a launcher starts:
      storefleet up --app \(CommandLine.arguments.first ?? "PATH") --devices 2

    """

  /// Runs the app on the devices that the launcher names, until the launcher ends it.
  ///
  /// Not async: the main actor stays on the main thread, as apps expect.
  @MainActor static func run<App: DeviceApp>(_ app: App.Type) -> Never {
    let seats: AppSeats
    do throws(ChildProcessError) {
      guard let read = try AppSeats.read() else { leave(usage, code: 64) }
      seats = read
      try Lifeline.exitWhenLauncherDies()
    } catch {
      leave("\(error)\n", code: 3)
    }
    // Its log is a file, and what it prints is to be there when it crashes.
    clinux_line_buffer_output()
    if seats.clockFile != nil { FaketimeTraces.remove() }
    DefaultsSaver.start()
    let host = MultiDeviceHost<App>()
    Task.detached {
      do {
        let node = try ClientNode(
          configuration: configuration(seats), host: host, log: { log($0) },
          onReady: { announce(seats, failedLaunches: $0) })
        try await node.runUntilTerminated()
        fflush(nil)
        _exit(0)
      } catch {
        leave("\(error)\n", code: 3)
      }
    }
    while true { RunLoop.main.run() }
  }

  private nonisolated static func configuration(_ seats: AppSeats) -> ClientNodeConfiguration {
    var configuration = ClientNodeConfiguration(
      world: seats.world, node: seats.node, devices: seats.devices.map { .init(name: $0.name, account: $0.account) },
      requestsEndpoint: seats.endpoint, token: EnvironmentVariable.value(AppSeats.tokenVariable) ?? "",
      storeFolder: seats.keepsStore ? seats.folder + "/store" : nil, launchesApps: seats.launchesApps)
    if seats.devices.count == 1 {
      configuration.ownProcess = OwnProcess(
        folder: seats.folder, lastEnd: EnvironmentVariable.value(AppSeats.lastEndVariable))
    }
    if let file = seats.clockFile { configuration.appClock = FaketimeClock(path: file, log: { log($0) }) }
    configuration.skewRefusal =
      seats.clockFile == nil
      ? "libfaketime is missing (install Debian's package libfaketime)"
      : seats.devices.count > 1
        ? "\(seats.devices.count) devices share its process, and one Date() (leave out --devices-per-process)" : nil
    return configuration
  }

  private nonisolated static func announce(_ seats: AppSeats, failedLaunches: [String]) {
    log("ready: \(seats.devices.count == 1 ? "1 device" : "\(seats.devices.count) devices")")
    do {
      var word = ["node": seats.node, "devices": "\(seats.devices.count)"]
      if !failedLaunches.isEmpty { word[ReadyWord.failedLaunches] = failedLaunches.joined(separator: "\n") }
      try ReadyWord.say(word, in: seats.readyFile)
    } catch {
      log("cannot say in '\(seats.readyFile)' that the app is ready: \(error.localizedDescription)")
    }
  }

  /// One line by one call: the app writes there too.
  private nonisolated static func log(_ text: String) {
    write("storefleet: \(text)\n")
  }

  private nonisolated static func leave(_ text: String, code: Int32) -> Never {
    write(text)
    // Without the handlers of `atexit`, which could wait for threads that never end.
    _exit(code)
  }

  private nonisolated static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
