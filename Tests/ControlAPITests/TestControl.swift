import ControlAPI
import Foundation
import HTTPServer
import ServerNode
import Testing
import Wire

/// The control API of a server node in memory, called without a socket.
struct TestControl {
  static let token = "secret"
  static let start = 1_767_225_600_000

  let server: StoreServer
  let router: HTTPRouter

  struct Node: ControlledNode {
    let server: StoreServer
    var eventLog: EventLog { server.eventLog }
    func follow(_ world: String) async -> EventLog.Position { await server.follow(world) }

    func ask(
      _ name: String, body: Data, of address: ActorAddress, id: RequestID, attachments: [Data],
      within patience: Duration
    ) async throws(WireError) -> Answer<Data> {
      try await server.local.ask(name, body: body, of: address, id: id, attachments: attachments, within: patience)
    }

    func metrics() async -> [MetricFamily]? {
      await server.measurements.map { [.gauge("worlds", "Worlds.", Double($0.gauges.worlds))] }
    }
  }

  static func run(
    token: String = token, metricsAreOpen: Bool = false, _ body: (TestControl) async throws -> Void
  ) async throws {
    var configuration = StoreServer.Configuration(dataFolder: nil, token: token, heartbeat: .milliseconds(20))
    configuration.isMeasured = true
    let server = try StoreServer(configuration) { _ in }
    _ = try await server.run()
    let api = ControlAPI(
      node: Node(server: server), options: .init(token: token, metricsAreOpen: metricsAreOpen))
    do { try await body(TestControl(server: server, router: api.router)) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// A response with its body as JSON.
  struct Reply {
    let response: HTTPResponse
    var status: Int { response.status.rawValue }
    let text: String
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
    var code: String? { json["code"] as? String }
  }

  func ask(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: HTTPHeaders = HTTPHeaders(),
    token: String? = TestControl.token
  ) async throws -> Reply {
    var headers = headers
    if let token, headers["Authorization"] == nil { headers["Authorization"] = "Bearer \(token)" }
    if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    let request = try HTTPRequest(method, path, headers: headers, body: Data((body ?? "").utf8))
    let response = try await router.respond(to: request)
    guard case .data(let data) = response.body else { return Reply(response: response, text: "") }
    return Reply(response: response, text: String(decoding: data, as: UTF8.self))
  }

  func post(_ path: String, _ body: String? = nil, id: UUID? = nil) async throws -> Reply {
    try await ask(
      .post, "/control/v1/worlds/w" + path, body, headers: id.map { ["Idempotency-Key": $0.uuidString] } ?? [:])
  }

  func get(_ path: String) async throws -> Reply { try await ask(.get, "/control/v1/worlds/w" + path) }

  /// Makes a world with the demo's catalogue, and an account.
  func open() async throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Fixtures/Demo.storekit").standardized
    let create: [String: Any] = [
      "catalog": try String(contentsOf: file, encoding: .utf8), "bundleId": "com.example.app",
      "environment": "Sandbox", "clock": ["kind": "manual", "startsAt": Self.start], "timeRate": "realTime",
    ]
    let body = String(decoding: try JSONSerialization.data(withJSONObject: create), as: UTF8.self)
    #expect(try await post("/createWorld", body).status == 200)
    #expect(try await post("/openAccount", #"{"account": "alice", "asksToBuy": false}"#).status == 200)
  }

  func buy(_ product: String, id: UUID? = nil) async throws -> Reply {
    try await post(
      "/accounts/alice/purchase",
      #"{"productId": "com.example.app.\#(product)", "quantity": 1, "simulatesAskToBuy": false}"#, id: id)
  }
}
