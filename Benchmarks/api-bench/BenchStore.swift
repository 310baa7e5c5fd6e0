import AppStoreServerAPI
import Foundation
import HTTPServer
import ServerNode
import Shared
import Wire

/// A node in memory with the API before it, and accounts that have bought coins.
struct BenchStore {
  static let world = ActorAddress(world: "main", kind: .world, key: "main")
  static let catalog = """
    {"identifier": "BENCH", "products": [{"displayPrice": "0.99", "familyShareable": false, "internalID": "1",
    "localizations": [], "productID": "coins", "referenceName": "Coins", "type": "Consumable"}],
    "nonRenewingSubscriptions": [], "subscriptionGroups": [], "settings": {"_locale": "en_US", "_storefront": "USA"},
    "version": {"major": 4, "minor": 0}}
    """

  let server: StoreServer
  let router: HTTPRouter
  let http: HTTPServer
  let key: APIKey

  init(threads: Int) async throws {
    let server = try StoreServer(StoreServer.Configuration(dataFolder: nil)) { _ in }
    _ = try await server.run()
    self.server = server
    let create = CreateWorld(catalog: BenchStore.catalog, clock: .manual(startsAt: StoreTime(Date())))
    _ = try await server.local.ask(create, of: BenchStore.world)
    key = try await server.apiKey(of: "main")
    var router = HTTPRouter()
    ServerAPI(node: server).addRoutes(to: &router)
    self.router = router
    let routes = router
    http = try HTTPServer(HTTPServerConfiguration(threads: threads)) { try await routes.respond(to: $0) }
  }

  /// Opens an account and buys; returns what was bought.
  func account(_ name: String, transactions: Int) async throws -> [TransactionID] {
    _ = try await server.local.ask(OpenAccount(account: name), of: BenchStore.world)
    let address = ActorAddress(world: "main", kind: .account, key: name)
    var ids: [TransactionID] = []
    for _ in 0..<transactions {
      let reply = try await server.local.ask(Purchase(productId: "coins"), of: address).body
      guard case .purchased(let id) = reply.outcome else { fatalError("A purchase became \(reply.outcome)") }
      ids.append(id)
    }
    return ids
  }

  /// What a look-up of the transaction answers.
  func body(of id: TransactionID) async throws -> Data {
    let request = try HTTPRequest(
      .get, "/main/sandbox/inApps/v1/transactions/\(id)", headers: ["Authorization": "Bearer \(try tokens(1)[0])"])
    guard case .kept(let body) = try await router.respond(to: request).body else { fatalError("It is not kept") }
    return body.data
  }

  /// Tokens that are all good and all different.
  func tokens(_ count: Int) throws -> [String] {
    let now = Int64(Date().timeIntervalSince1970)
    return try (0..<count).map {
      try key.token(
        bundleId: "com.example.app", issuedAt: now - Int64($0 % 600), expiresAt: now + 1_800 + Int64($0 / 600))
    }
  }

  func stop() async {
    await http.stop(within: .seconds(1))
    await server.stop()
  }
}
