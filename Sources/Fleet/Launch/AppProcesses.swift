import Foundation
import Glibc
package import Launch
package import Wire

/// The processes of a user's own app: one for each device, or for a few.
///
/// A process that has one device ends when that device's app is killed; it is then started again, with the app off. So a
/// launch is always one of a fresh process, with the home folder and the store of the one before. A process that crashes is
/// started again too, and told about.
package actor AppProcesses {
  package struct Configuration: Sendable {
    package var app: AppExecutable
    /// Where the server node takes requests.
    package var endpoint: String
    package var token: String
    package var world: String
    /// Below it each process has a folder: home, clock, store.
    package var folder: String
    package var keepsStores: Bool
    /// Whether each app is launched with its process, at first.
    package var launchesApps: Bool
    /// How long a process may take to become ready.
    package var patience: Duration
    package var log: @Sendable (_ process: String) -> String

    package init(
      app: AppExecutable, endpoint: String, token: String, world: String, folder: String, keepsStores: Bool = true,
      launchesApps: Bool = false, patience: Duration = .seconds(60), log: @escaping @Sendable (String) -> String
    ) {
      self.app = app
      self.endpoint = endpoint
      self.token = token
      self.world = world
      self.folder = folder
      self.keepsStores = keepsStores
      self.launchesApps = launchesApps
      self.patience = patience
      self.log = log
    }
  }

  /// A process that was started.
  package struct Started: Sendable {
    package var name: String
    package var process: ChildProcess
  }

  private struct Seat {
    var devices: [DeviceRegistration]
    var process: ChildProcess?
    var watch: Task<Void, Never>?
    /// Whether its end is what somebody wants.
    var isEnding = false
  }

  private let configuration: Configuration
  private let lifeline: Lifeline
  private var seats: [String: Seat] = [:]
  private let onStart: @Sendable (Started) async -> Void
  /// Processes that ended by themselves and launches that failed, in a sentence each. Unbounded: a person or a test reads
  /// them.
  package nonisolated let crashes: AsyncStream<String>
  private nonisolated let crash: AsyncStream<String>.Continuation

  /// - Parameter onStart: called as each process is started, and started again.
  package init(
    _ configuration: Configuration, lifeline: Lifeline, onStart: @escaping @Sendable (Started) async -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.lifeline = lifeline
    self.onStart = onStart
    (crashes, crash) = AsyncStream.makeStream()
  }

  /// Starts a process for these devices, and returns once they are registered and, when apps are launched too, these
  /// launches are over.
  package func start(_ name: String, _ devices: [DeviceRegistration]) async throws {
    guard seats[name]?.process == nil else { return }
    seats[name] = Seat(devices: devices)
    let folder = "\(configuration.folder)/\(name)"
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    try await begin(name)
  }

  /// Ends a process without warning, and does not start it again.
  package func kill(_ name: String) async {
    seats[name]?.isEnding = true
    guard let process = seats[name]?.process else { return }
    process.send(SIGKILL)
    await seats[name]?.watch?.value
  }

  package func restart(_ name: String) async throws {
    await kill(name)
    seats[name]?.isEnding = false
    try await begin(name)
  }

  /// The running processes' ids, by name.
  package var processIDs: [String: Int32] { seats.compactMapValues { $0.process?.processID } }

  /// Ends every process, in order and within bounds.
  package func stop(grace: Duration) async {
    for name in seats.keys { seats[name]?.isEnding = true }
    let running = seats.values.compactMap(\.process)
    await withTaskGroup(of: Void.self) { group in
      for process in running { group.addTask { await process.terminate(grace: grace) } }
    }
    for seat in seats.values { await seat.watch?.value }
    crash.finish()
  }

  // MARK: One process

  /// An app that is launched with its process may end it before it is ready. That is a crash as any other, and the next
  /// process begins with the app off; a program that is no app ends once more.
  private func begin(_ name: String) async throws {
    guard let end = try await launch(name, lastEnd: nil) else { return }
    guard configuration.launchesApps else { throw endedTooEarly(name, end) }
    crash.yield("\(subject(name)) did not launch, it \(end.status): \(end.lastWords)")
    guard let again = try await launch(name, lastEnd: "\(end.status): \(end.lastWords)") else { return }
    throw endedTooEarly(name, again)
  }

  private typealias End = (status: ExitStatus, lastWords: String)

  private func endedTooEarly(_ name: String, _ end: End) -> FleetError {
    // A main of its own has run to its end.
    let advice = end.status.isSuccess ? "; is its @main a DeviceApp?" : ""
    return FleetError("\(subject(name)) ended before it was ready (\(end.status)): \(end.lastWords)\(advice)")
  }

  /// Starts a process.
  /// - Returns: how it ended, when it was not ready before.
  private func launch(_ name: String, lastEnd: String?) async throws -> End? {
    guard let seat = seats[name], !seat.isEnding else { return nil }
    let folder = "\(configuration.folder)/\(name)"
    let log = configuration.log(name)
    let readiness = try Readiness(path: folder + "/ready")
    let clock = Faketime.library == nil ? nil : folder + "/clock"
    let seats = AppSeats(
      endpoint: configuration.endpoint, world: configuration.world, node: name,
      devices: seat.devices.map { .init(name: $0.device, account: $0.account) }, folder: folder,
      keepsStore: configuration.keepsStores, readyFile: readiness.path, clockFile: clock,
      launchesApps: configuration.launchesApps)
    try seats.write(to: folder + "/seats.json")
    let logBegin = FleetError.size(of: log)
    let process = try ChildProcess.start(
      .init(
        executable: configuration.app.path, environment: environment(folder, clock, lastEnd),
        output: .appended(toFileAt: log), ownProcessGroup: true, lifeline: lifeline))
    self.seats[name]?.process = process
    await onStart(Started(name: name, process: process))
    do {
      let beginning = try await readiness.beginning(
        of: process, subject(name), log: log, logBegin: logBegin, patience: configuration.patience)
      switch beginning {
      case .ready(let word):
        for failure in ReadyWord.read(word)[ReadyWord.failedLaunches]?.split(separator: "\n") ?? [] {
          crash.yield("\(failure) (\(log))")
        }
      case .ended(let status, let words):
        self.seats[name]?.process = nil
        return (status, words)
      }
    } catch {
      self.seats[name]?.process = nil
      process.send(SIGKILL)
      throw error
    }
    self.seats[name]?.watch = Task { [weak self] in
      let status = await process.waitUntilExit()
      await self?.ended(name, status, logBegin: logBegin)
    }
    return nil
  }

  private func environment(_ folder: String, _ clock: String?, _ lastEnd: String?) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    // Where programs look for their home, and where they would find the user's.
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] { environment[name] = nil }
    environment["HOME"] = folder + "/home"
    environment["CFFIXED_USER_HOME"] = folder + "/home"
    // What was running when it crashed is in the log; the time that it takes would be the user's.
    environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
    environment[AppSeats.variable] = folder + "/seats.json"
    environment[AppSeats.tokenVariable] = configuration.token
    environment[AppSeats.lastEndVariable] = lastEnd
    if let clock { Faketime.prepare(&environment, file: clock) }
    return environment.merging(configuration.app.environment) { $1 }
  }

  /// What messages call a process: its device.
  private func subject(_ name: String) -> String {
    let devices = seats[name]?.devices ?? []
    let whose = devices.count == 1 ? "the app on \(devices[0].device)" : "the app of \(name)"
    return "\(whose) ('\(configuration.app.path)')"
  }

  private func ended(_ name: String, _ status: ExitStatus, logBegin: Int) async {
    guard let seat = seats[name] else { return }
    seats[name]?.process = nil
    guard !seat.isEnding else { return }
    let log = configuration.log(name)
    let how = "\(status): \(FleetError.lastWords(of: log, from: logBegin))"
    // A kill is something that people do to a phone; all else the app has done itself.
    if status != .signalled(SIGKILL) { crash.yield("\(subject(name)) \(how)") }
    do {
      let end = try await launch(name, lastEnd: status == .signalled(SIGKILL) ? "\(status)" : how)
      if let end { throw endedTooEarly(name, end) }
    } catch  where seats[name]?.isEnding == false {
      crash.yield("\(subject(name)) cannot be started again: \(error)")
    } catch {
      // It was ended while it started, as somebody wants.
    }
  }
}

extension FleetError {
  static func size(of file: String) -> Int {
    var status = stat()
    return stat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// What a process wrote last, from this place of its log on: why Swift ended it, when it did, else its last lines.
  static func lastWords(of log: String, from begin: Int) -> String {
    let data = FileManager.default.contents(atPath: log)?.dropFirst(begin) ?? Data()
    let lines = String(decoding: data.suffix(16_384), as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("storefleet: ready") }
    let reason = lines.last { $0.contains("Fatal error") || $0.contains("Precondition failed") }
    let last = reason.map { [$0] } ?? Array(lines.suffix(3))
    return "\(last.isEmpty ? "it wrote nothing" : last.joined(separator: " / ")) (\(log))"
  }
}
