import Foundation
import HTTPServer
import Shared
import Wire

/// A question that is asked with GET: a request whose body follows from the address.
struct ControlQuestion: Sendable {
  struct Parameter: Sendable {
    let name: String
    let description: String
    let schema: JSONValue
  }

  let path: String
  let request: ControlRequest
  let summary: String
  var parameters: [Parameter] = []
  /// Makes the request's body.
  var body: @Sendable (HTTPRequest, any ControlledNode) async throws(WireError) -> Data = { _, _ throws(WireError) in
    Data("{}".utf8)
  }

  static let all: [ControlQuestion] = [
    question(ListWorlds.self, .server, "/worlds", "Which worlds there are."),
    question(DescribeWorld.self, .world, "", "The world's settings, its clock and its root certificate."),
    question(ListAccounts.self, .world, "/accounts", "Who has an account."),
    question(ListDevices.self, .world, "/devices", "What is known of each device."),
    products,
    question(DescribeOfferKeys.self, .world, "/offerKeys", "The key with which the developer signs offers."),
    question(DescribeAPIKeys.self, .world, "/apiKeys", "What a developer's server needs to call the App Store."),
    transactions,
    question(GetSubscriptions.self, .account, "/subscriptions", "The last state of each subscription."),
    journal,
    notifications,
    question(ListPendingPurchases.self, .account, "/pendingPurchases", "The purchases that wait for somebody."),
    question(DescribeFamily.self, .family, "", "Who is in the family."),
    question(GetEntitlements.self, .user, "/entitlements", "What the user may use."),
    question(InspectDevice.self, .device, "", "Where the device is and what its app shows."),
  ].compactMap { $0 }

  private static let transactions: ControlQuestion? = {
    var transactions = question(
      CatchUp.self, .account, "/transactions", "What the account has bought: a snapshot of its transactions.")
    transactions?.body = { _, _ throws(WireError) in WireJSON.encode(CatchUp(epoch: 0, after: 0)) }
    return transactions
  }()

  private static let journal: ControlQuestion? = {
    var journal = question(ReadJournal.self, .account, "/journal", "The account's events as they are stored.")
    journal?.parameters = [
      Parameter(
        name: "after", description: "The last sequence that is known.",
        schema: ["type": "integer", "minimum": 0, "maximum": .integer(.max), "default": 0]),
      Parameter(
        name: "limit", description: "How many events at most.",
        schema: ["type": "integer", "minimum": 1, "maximum": 10_000, "default": 1_000]),
    ]
    journal?.body = { request, _ throws(WireError) in
      WireJSON.encode(
        ReadJournal(
          after: UInt64(try request.number("after", in: 0...Int.max) ?? 0),
          limit: try request.number("limit", in: 1...10_000) ?? 1_000))
    }
    return journal
  }()

  private static let notifications: ControlQuestion? = {
    var notifications = question(
      ListNotifications.self, .notifications, "", "What the developer's server was told, the oldest first.")
    notifications?.parameters = [
      Parameter(
        name: "after", description: "The number of the last one that is known.",
        schema: ["type": "integer", "minimum": 0, "maximum": .integer(.max), "default": 0]),
      Parameter(
        name: "limit", description: "How many at most.",
        schema: ["type": "integer", "minimum": 1, "maximum": 200, "default": 200]),
    ]
    notifications?.body = { request, _ throws(WireError) in
      WireJSON.encode(
        ListNotifications(
          after: UInt64(try request.number("after", in: 0...Int.max) ?? 0),
          limit: try request.number("limit", in: 1...ListNotifications.mostPerPage) ?? ListNotifications.mostPerPage))
    }
    return notifications
  }()

  private static let products: ControlQuestion? = {
    var products = question(GetProducts.self, .world, "/products", "Products of the catalogue.")
    products?.parameters = [
      Parameter(
        name: "id", description: "A product's id, once for each that is wanted; without any, all products.",
        schema: ["type": "array", "items": ["type": "string"]])
    ]
    products?.body = { request, node throws(WireError) in
      let ids = request.queryValues("id")
      guard ids.isEmpty else { return WireJSON.encode(GetProducts(ids: ids)) }
      let world = try ControlTarget.world.address { request.parameters[$0] }
      let answer = try await node.ask(
        DescribeWorld.name, body: WireJSON.encode(DescribeWorld()), of: world, id: RequestID(UUID()), attachments: [],
        within: .seconds(10))
      let catalog = try WireJSON.decode(WorldDescription.self, from: answer.body).catalog
      do {
        let all = try Catalog(data: Data(catalog.utf8), file: "the catalogue of '\(world.world)'").products.map(\.id)
        return WireJSON.encode(GetProducts(ids: all))
      } catch {
        throw WireError(.internalError, "\(error)")
      }
    }
    return products
  }()

  private static func question<Message: Request>(
    _ message: Message.Type, _ target: ControlTarget, _ path: String, _ summary: String
  ) -> ControlQuestion? {
    ControlRequest.all.first { $0.name == Message.name && $0.target == target }.map {
      ControlQuestion(path: target.path + path, request: $0, summary: summary)
    }
  }
}

extension HTTPRequest {
  /// A whole number of the query; nil where it is not there.
  func number(_ name: String, in range: ClosedRange<Int>) throws(WireError) -> Int? {
    guard target.query.contains(where: { $0.name == name }) else { return nil }
    let text = query(name) ?? ""
    guard let number = Int(text), range.contains(number) else {
      throw WireError(
        .badBody,
        "'\(name)' in the query is '\(text.prefix(40))': expected \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
