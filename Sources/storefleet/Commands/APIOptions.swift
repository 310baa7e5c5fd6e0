import AppStoreServerAPI

/// How the App Store Server API of a node behaves.
enum APIOptions {
  private static let rateLimit = Option(
    "api-rate-limit", value: "LIMIT",
    help: "answer 429 beyond Apple's limits ('documented'), or beyond a number of requests an hour")
  private static let unreleased = Option(
    flag: "api-unreleased", help: "answer 401 in production, as for apps that were never released")
  static let all = [rateLimit, unreleased]

  static func read(_ arguments: Arguments) throws(UsageError) -> ServerAPI.Options {
    for option in all where arguments.has(option) && !arguments.has(HTTPOptions.http) {
      throw UsageError("option '--\(option.long)' needs --http HOST:PORT")
    }
    return ServerAPI.Options(
      rateLimit: try arguments.value(rateLimit).map { text throws(UsageError) in try limit(text) },
      isUnreleased: arguments.has(unreleased), log: { LogLine.write($0) })
  }

  private static func limit(_ text: String) throws(UsageError) -> RateLimit {
    if text == "documented" { return .documented }
    guard let count = Int(text), count > 0 else {
      throw UsageError(
        "option '--\(rateLimit.long)' is '\(text)': expected 'documented', or a number of requests an hour such as 100")
    }
    return .perHour(count)
  }
}
