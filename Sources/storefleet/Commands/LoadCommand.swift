import Fleet
import Foundation
import Shared
import Wire

/// `storefleet load`: buys at a steady rate on a fleet of its own, and finds what was lost, repeated or slow.
enum LoadCommand {
  private static let devices = Option("devices", value: "N", default: "1000", help: "how many devices")
  private static let rate = Option(
    "rate", value: "N", default: "200", help: "purchases a second, of all devices together")
  private static let duration = Option("duration", value: "DURATION", default: "10s", help: "how long to buy")
  private static let clients = Option(
    "clients", value: "N", default: "4", help: "over how many client processes the devices are spread")
  private static let perAccount = Option(
    "devices-per-account", value: "N", default: "4", help: "how many devices each account has")
  private static let product = Option(
    "product", value: "ID", default: "com.example.app.coins",
    help: "what is bought: a product of the built-in catalogue")
  private static let failIf = Option(
    "fail-if", value: "CONDITIONS", default: "lost>0",
    help: "exit code 1 if one of these holds, as in lost>0,propagation.p99>250ms; may be repeated")
  private static let seed = Option("seed", value: "N", help: "decides which device buys when; random without it")
  private static let inMemory = Option(
    flag: "in-memory", help: "keep the server's journal in memory instead of on disk")
  private static let name = Option("name", value: "NAME", help: "the fleet's name; made from the process id without it")
  private static let keep = Option(flag: "keep", help: "keep the run folder with its logs and data")

  static let command = Command(
    name: "load", summary: "buy at a steady rate on a fleet of its own, and check every delivery",
    options: [
      devices, rate, duration, clients, perAccount, product, failIf, seed, inMemory, name, keep, FleetOptions.json,
    ],
    examples: [
      .init(
        "storefleet load --devices 1000 --rate 200 --duration 10s --fail-if 'lost>0'",
        "2,000 purchases; every other device of each account must get each of them once"),
      .init(
        "storefleet load --fail-if 'lost>0,propagation.p99>250ms' --json", "a check of speed for CI, as JSON"),
    ]
  ) { arguments in
    let conditions = try conditions(arguments.values(failIf))
    let settings = try settings(arguments)
    let fleet = try ProcessFleet(
      .init(
        name: arguments.value(name) ?? "load-\(ProcessInfo.processInfo.processIdentifier)", world: settings.plan.world,
        keepsDeviceStores: false, keepsServerData: !arguments.has(inMemory), followsEvents: false,
        clientArguments: ["--load"]))
    do {
      var report = try await run(settings, on: fleet)
      await fleet.stop(keepingFolder: arguments.has(keep))
      report.failed = conditions.filter { $0.holds(for: report) }.map(\.description)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: report)
      } else {
        FileHandle.standardOutput.write(Data((report.lines.joined(separator: "\n") + "\n").utf8))
      }
      if arguments.has(keep) { StandardError.print("The logs and the data are kept in \(fleet.folder.path)") }
      return report.failed.isEmpty ? .ok : .failed
    } catch {
      let isInterruption = error is CancellationError || Task.isCancelled
      await fleet.stop(keepingFolder: arguments.has(keep) || !isInterruption)
      if isInterruption { throw CancellationError() }
      throw CommandFailure("\(error); the logs are kept in \(fleet.folder.path)", exitCode: .unreachable)
    }
  }

  private static func conditions(_ texts: [String]) throws(UsageError) -> [FailureCondition] {
    var conditions: [FailureCondition] = []
    for text in texts {
      do throws(FailureCondition.Malformed) { conditions += try FailureCondition.list(text) } catch {
        throw UsageError("option '--fail-if': \(error)")
      }
    }
    return conditions
  }

  private static func settings(_ arguments: Arguments) throws -> LoadRun.Settings {
    let text = try arguments.required(rate)
    guard let rate = Double(text), (0.001...1_000_000).contains(rate) else {
      throw UsageError("option '--rate' is '\(text)': purchases a second were expected, from 0.001 to 1000000")
    }
    let duration = try arguments.duration(duration) ?? .seconds(10)
    guard duration > .zero, rate * (duration / .seconds(1)) < 1e8 else {
      throw UsageError(
        "option '--duration' makes no run: more than 0 and fewer than 100,000,000 purchases were expected")
    }
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    if let text = arguments.value(LoadCommand.seed) {
      guard let given = UInt64(text) else {
        throw UsageError("option '--seed' is '\(text)': a whole number of 0 or more was expected")
      }
      seed = given
    }
    let product = try sold(try arguments.required(product))
    let plan = FleetPlan(
      world: "load", devices: try arguments.integer(devices, in: 1...100_000) ?? 1_000,
      devicesPerAccount: try arguments.integer(perAccount, in: 1...1_000) ?? 4,
      clients: try arguments.integer(clients, in: 1...100) ?? 4)
    return LoadRun.Settings(
      plan: plan, catalog: BuiltInCatalog.text, product: product, rate: rate,
      duration: duration, seed: seed)
  }

  /// The product, if it is sold: asked before anything starts.
  private static func sold(_ product: String) throws -> String {
    let ids = try Catalog(data: Data(BuiltInCatalog.text.utf8), file: BuiltInCatalog.name).products.map(\.id)
    guard ids.contains(product) else {
      throw CommandFailure(
        "\(BuiltInCatalog.name) has no product '\(product)': expected \(ids.joined(separator: ", "))")
    }
    return product
  }

  private static func run(_ settings: LoadRun.Settings, on fleet: ProcessFleet) async throws -> LoadReport {
    let progress = LoadProgress(settings)
    defer { progress.finish() }
    try await fleet.startServer()
    return try await LoadRun(settings, on: fleet) { progress.show($0) }.run()
  }
}

/// The bars of a load run, one after the other.
private final class LoadProgress: Sendable {
  private let launching: Progress
  private let buying: Progress
  private let purchases: Int

  init(_ settings: LoadRun.Settings) {
    launching = Progress("launching devices", total: settings.plan.devices)
    purchases = settings.purchases
    buying = Progress("buying", total: purchases)
  }

  func show(_ stage: LoadRun.Stage) {
    switch stage {
    case .launching(let done): launching.advance(to: done)
    case .buying(let done):
      launching.finish()
      buying.advance(to: done)
    case .draining:
      buying.advance(to: purchases)
      finish()
    }
  }

  func finish() {
    launching.finish()
    buying.finish()
  }
}
