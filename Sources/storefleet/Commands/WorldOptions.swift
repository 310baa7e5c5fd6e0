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
  private static let environments = ["Sandbox", "Production", "Xcode", "LocalTesting"]
  private static let environment = Option(
    "environment", value: environments.joined(separator: "|"),
    help:
      "what transactions say of where they come from; decides at which base URL the server API has them, and 'Xcode' "
      + "how they are signed; Sandbox without it, Xcode with the habits 'xcode'")
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
  private static let claimPolicy = Option(
    "claim-policy", value: ClaimPolicy.allCases.map(\.rawValue).joined(separator: "|"),
    default: ClaimPolicy.keep.rawValue, help: "what happens when a user claims what another user has")
  private static let grantDelay = Option(
    "family-grant-delay", value: "DURATION",
    help: "how long a family waits for what a member bought, up to 7d (Apple: up to 1h); not at all without it")

  private static let notify = Option(
    "notify", value: "URL", help: "where notifications go, http or https; 'storefleet notifications url' changes it")
  private static let notifyTrust = Option(
    "notify-trust", value: "FILE", help: "with --notify and https, \(NotificationTrust.help)")

  static let all = [
    catalog, bundle, environment, clock, timeRate, grace, claimPolicy, grantDelay, habits, notify, notifyTrust,
  ]

  static func request(_ arguments: Arguments) throws -> CreateWorld {
    let mode: ClockMode =
      switch try arguments.required(clock) {
      case "real": .real
      case "manual": .manual(startsAt: StoreTime(Date()))
      case let other: throw UsageError("--clock is 'real' or 'manual', not '\(other)'")
      }
    let bundleId = try arguments.required(bundle)
    guard !bundleId.isEmpty else { throw UsageError("--bundle-id is empty: say one such as com.example.app") }
    let environment = arguments.value(environment)
    if let environment, !environments.contains(environment) {
      throw UsageError("--environment is \(environments.joined(separator: ", ")), not '\(environment)'")
    }
    let rate = try WorldOptions.rate(try arguments.required(timeRate))
    let grace = try gracePeriod(arguments)
    return CreateWorld(
      catalog: try catalogText(arguments.value(catalog)), bundleId: bundleId, environment: environment, clock: mode,
      timeRate: rate,
      gracePeriod: grace, claimPolicy: try policy(arguments), familyGrantDelay: try delay(arguments),
      habits: try habitChange(arguments),
      notificationURLs: try notificationURLs(arguments))
  }

  private static func notificationURLs(_ arguments: Arguments) throws -> NotificationURLs? {
    guard let url = arguments.value(notify) else {
      if arguments.has(notifyTrust) { throw UsageError("option '--notify-trust' needs --notify URL") }
      return nil
    }
    let trusted = try NotificationTrust.read(arguments.value(notifyTrust), for: url)
    // Without a URL of its own, a sandbox uses the one of production.
    return NotificationURLs(production: NotificationEndpoint(url: url, trustedCertificates: trusted))
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

  /// Nil, the store's own, unless it was said: the same settings are then the same world as before there were policies.
  private static func policy(_ arguments: Arguments) throws(UsageError) -> ClaimPolicy? {
    guard arguments.has(claimPolicy) else { return nil }
    let text = try arguments.required(claimPolicy)
    guard let policy = ClaimPolicy(rawValue: text) else {
      throw UsageError(
        "option '--claim-policy' is '\(text)': expected "
          + ClaimPolicy.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return policy
  }

  private static func delay(_ arguments: Arguments) throws(UsageError) -> Int64? {
    guard let delay = try arguments.duration(grantDelay) else { return nil }
    guard delay <= .seconds(7 * 86_400) else {
      throw UsageError("option '--family-grant-delay' is '\(arguments.value(grantDelay) ?? "")': expected 7d at most")
    }
    return delay.wholeMilliseconds
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
