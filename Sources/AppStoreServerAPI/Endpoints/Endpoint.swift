import HTTPServer

/// One endpoint: where it is, how often it may be asked, and how it is answered.
struct Endpoint: Sendable {
  let method: HTTPMethod
  /// Behind the base URL. Ids are `{id}`.
  let path: String
  let rate: EndpointRate
  let answer: @Sendable (APICall) async throws -> HTTPResponse

  init(
    _ method: HTTPMethod, _ path: String, _ rate: EndpointRate = .often,
    _ answer: @escaping @Sendable (APICall) async throws -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.rate = rate
    self.answer = answer
  }

  static let all = transactions + history + subscriptions + extensions + consumption + notifications
}
