import AppStoreServerAPI
import Foundation
import HTTPServer
import ServerNode
import Shared
import Testing
import Wire

/// A node in memory with one world, and the API before it, without sockets: a test speaks to it as a backend does.
struct APIStage {
  static let start = StoreTime(milliseconds: 1_767_225_600_000)
  static let day: Int64 = 86_400_000

  let server: StoreServer
  let router: HTTPRouter
  let world: String
  let key: APIKey
  let root: Data

  static func with(
    world: String = "main", environment: String = "Sandbox", options: ServerAPI.Options = ServerAPI.Options(),
    http: String? = nil, evictsAfterEveryTurn: Bool = false, _ body: (APIStage) async throws -> Void
  ) async throws {
    let server = try StoreServer(
      StoreServer.Configuration(
        dataFolder: nil, httpBaseURL: http, evictsAfterEveryTurn: evictsAfterEveryTurn)
    ) { _ in }
    _ = try await server.run()
    do {
      let address = ActorAddress(world: world, kind: .world, key: world)
      let create = CreateWorld(
        catalog: try demoCatalog(), environment: environment, clock: .manual(startsAt: start))
      let description = try await server.local.ask(create, of: address).body
      var router = HTTPRouter()
      ServerAPI(node: server, options: options).addRoutes(to: &router)
      OCSPRoom(node: server).addRoutes(to: &router)
      try await body(
        APIStage(
          server: server, router: router, world: world, key: try await server.apiKey(of: world),
          root: description.rootCertificate))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private static func demoCatalog() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Demo.storekit")
    return try String(contentsOf: file, encoding: .utf8)
  }

  // MARK: The store

  func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: world, kind: kind, key: key)
  }

  @discardableResult
  func ask<Message: Request>(_ message: Message, of kind: ActorAddress.Kind, _ key: String) async throws
    -> Message.Reply
  {
    try await server.local.ask(message, of: address(kind, key)).body
  }

  func open(_ account: String) async throws { try await ask(OpenAccount(account: account), of: .world, world) }

  /// Buys, and says which transaction it became.
  @discardableResult
  func buy(_ product: String, _ account: String, token: UUID? = nil) async throws -> TransactionID {
    var purchase = Purchase(productId: "com.example.app.\(product)")
    purchase.appAccountToken = token
    let reply = try await ask(purchase, of: .account, account)
    guard case .purchased(let id) = reply.outcome else {
      throw WireError(.internalError, "\(product) became \(reply.outcome)")
    }
    return id
  }

  func refund(_ id: TransactionID, _ account: String) async throws {
    try await ask(Refund(transactionId: id, reason: 0), of: .account, account)
  }

  func advance(days: Int64) async throws {
    try await ask(AdvanceClock(.by(milliseconds: days * APIStage.day)), of: .world, world)
  }

  // MARK: The API

  func token(bundleId: String = "com.example.app") throws -> String {
    let now = Int64(Date().timeIntervalSince1970)
    return try key.token(bundleId: bundleId, issuedAt: now, expiresAt: now + 300)
  }

  func call(
    _ method: HTTPMethod, _ path: String, base: String = "/main/sandbox", token: String? = nil,
    body: String? = nil, contentType: String? = "application/json"
  ) async throws -> APIResponse {
    var headers: HTTPHeaders = ["Authorization": "Bearer \(try token ?? self.token())"]
    if body != nil, let contentType { headers["Content-Type"] = contentType }
    let request = try HTTPRequest(method, base + path, headers: headers, body: Data((body ?? "").utf8))
    return try APIResponse(try await router.respond(to: request))
  }

  func get(_ path: String, base: String = "/main/sandbox") async throws -> APIResponse {
    try await call(.get, path, base: base)
  }

  /// Verifies what the world has signed, and returns its payload.
  func payload(_ jws: String) throws -> JSONObject {
    let verifier = JWSVerifier(trust: TrustStore(roots: [root]))
    let verified = try verifier.verify(jws, at: APIStage.start.milliseconds)
    return try JSONObject(verified.payloadData)
  }

  /// The payloads of a list of signed transactions.
  func transactions(_ response: APIResponse) throws -> [JSONObject] {
    try response.json.strings("signedTransactions").map { try payload($0) }
  }
}

struct APIResponse {
  let status: Int
  let headers: HTTPHeaders
  let body: Data

  init(_ response: HTTPResponse) throws {
    status = response.status.rawValue
    var headers = response.headers
    switch response.body {
    case .data(let data): body = data
    case .kept(let kept):
      body = kept.data
      headers.add("Content-Type", kept.contentType)
    case .stream: throw WireError(.internalError, "the answer is a stream")
    }
    self.headers = headers
  }

  var json: JSONObject {
    get throws { try JSONObject(body) }
  }

  var errorCode: Int64? { try? json.integer("errorCode") }
}

/// JSON as tests look at it.
struct JSONObject {
  private let values: [String: Any]

  init(_ data: Data) throws {
    guard let values = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw WireError(.internalError, "\(String(decoding: data, as: UTF8.self)) is no object")
    }
    self.values = values
  }

  private init(values: [String: Any]) { self.values = values }

  var keys: Set<String> { Set(values.keys) }
  func string(_ key: String) -> String? { values[key] as? String }
  func bool(_ key: String) -> Bool? { values[key] as? Bool }
  func integer(_ key: String) -> Int64? { (values[key] as? NSNumber)?.int64Value }
  func strings(_ key: String) throws -> [String] { try #require(values[key] as? [String]) }
  func objects(_ key: String) throws -> [JSONObject] {
    try #require(values[key] as? [[String: Any]]).map { JSONObject(values: $0) }
  }
}

/// Whether a request's address can be read at all.
struct HTTPRequestProbe {
  init(_ target: String) throws { _ = try HTTPRequest(.get, target) }
}
