import Fleet
import Foundation
import Shared
import Wire

/// What a world is made with, for the commands that make one.
enum WorldOptions {
  private static let catalog = Option(
    "catalog", value: "FILE", help: "the .storekit file of what the world sells; a small one of its own without it")
  private static let bundle = Option(
    "bundle-id", value: "ID", default: "com.example.app", help: "the app's bundle id")
  private static let clock = Option(
    "clock", value: "real|manual", default: "real", help: "whether the world's clock runs or is moved by you")

  private static let timeRate = Option(
    "time-rate", value: "RATE", default: TimeRate.realTime.rawValue,
    help: "how long subscription periods last; 'storefleet clock rate --help' lists the rates")
  private static let grace = Option(
    "grace-period", value: "3|16|28",
    help: "for how many days a subscription stays usable after a renewal failed; not at all without it")

  static let habits = Option(
    "habits", value: "LIST",
    help: "what Apple leaves open or the field does differently, such as 'field' or 'field,lateListing=800'; "
      + "'storefleet habits' lists them")

  static let all = [catalog, bundle, clock, timeRate, grace, habits]

  static func request(_ arguments: Arguments) throws -> CreateWorld {
    let mode: ClockMode =
      switch try arguments.required(clock) {
      case "real": .real
      case "manual": .manual(startsAt: StoreTime(Date()))
      case let other: throw UsageError("--clock is 'real' or 'manual', not '\(other)'")
      }
    let bundleId = try arguments.required(bundle)
    guard !bundleId.isEmpty else { throw UsageError("--bundle-id is empty: say one such as com.example.app") }
    let rate = try WorldOptions.rate(try arguments.required(timeRate))
    let grace = try gracePeriod(arguments)
    return CreateWorld(
      catalog: try catalogText(arguments.value(catalog)), bundleId: bundleId, clock: mode, timeRate: rate,
      gracePeriod: grace, habits: try habitChange(arguments))
  }

  static func habitChange(_ arguments: Arguments) throws(UsageError) -> HabitChange? {
    guard let text = arguments.value(habits) else { return nil }
    do throws(HabitError) { return try HabitChange(parsing: text) } catch { throw UsageError("--habits: \(error)") }
  }

  static func rate(_ text: String) throws(UsageError) -> TimeRate {
    if let rate = TimeRate(rawValue: text) { return rate }
    let guess = Spelling.closest(to: text, among: TimeRate.allCases.map(\.rawValue))
    let advice = guess.map { "did you mean '\($0)'?" } ?? "'storefleet clock rate --help' lists them"
    throw UsageError("there is no rate '\(text)': \(advice)")
  }

  private static func gracePeriod(_ arguments: Arguments) throws(UsageError) -> GracePeriod? {
    guard let text = arguments.value(grace) else { return nil }
    guard let length = Int(text).flatMap(GracePeriod.Length.init) else {
      throw UsageError("option '--grace-period' is '\(text)': expected 3, 16 or 28 days")
    }
    return GracePeriod(length)
  }

  private static func catalogText(_ file: String?) throws -> String {
    guard let file else { return BuiltInCatalog.text }
    do {
      _ = try Catalog.load(contentsOf: URL(filePath: file))
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch let error as CatalogError {
      throw CommandFailure(error.lines.joined(separator: "\n"), exitCode: .failed)
    } catch {
      throw CommandFailure("\(error)", exitCode: .failed)
    }
  }
}
