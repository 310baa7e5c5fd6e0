package import Shared

// What holds up, refuses or breaks what a device asks for. To `W/device/NAME`; the ones that make sense for all devices
// may also go to `W/world/W`: see `AllDevices`.

/// Makes a part of StoreKit fail on a device, until it is cleared or has failed often enough.
package struct SetSimulatedError: Request, Hashable {
  package static let name = "setSimulatedError"
  package typealias Reply = DeviceReport
  package var api: FailableAPI
  /// Nil: it works again.
  package var failure: SimulatedFailure?
  /// How often it fails; nil for always.
  package var times: Int?

  package init(api: FailableAPI, failure: SimulatedFailure?, times: Int? = nil) {
    self.api = api
    self.failure = failure
    self.times = times
  }
}

/// Whether the device's user may buy: parental controls, or a device that is managed (Apple: AppStore.canMakePayments).
package struct SetPurchasesAllowed: Request {
  package static let name = "setPurchasesAllowed"
  package typealias Reply = DeviceReport
  package var allowed: Bool
  package init(allowed: Bool) { self.allowed = allowed }
}

/// To a device, an account or a world: whether purchases are interrupted (Apple: interruptedPurchasesEnabled). An
/// interrupted purchase is pending until its issue is resolved.
package struct SetInterruptedPurchases: Request {
  package static let name = "setInterruptedPurchases"
  /// Each kind of address says more than this.
  package typealias Reply = Done
  package var on: Bool
  package init(on: Bool) { self.on = on }
}

/// To an account: the customer has done what a purchase waited for, and it goes through. Without an id or a product the
/// only purchase with an issue is meant.
package struct ResolveIssue: Request {
  package static let name = "resolveIssue"
  package typealias Reply = AccountPosition
  package var purchase: String?
  package var productId: String?

  package init(purchase: String? = nil, productId: String? = nil) {
    self.purchase = purchase
    self.productId = productId
  }
}

/// To an account: the purchases that wait for somebody.
package struct ListPendingPurchases: Request {
  package static let name = "listPendingPurchases"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    /// The oldest first.
    package var purchases: [Entry]
    /// What the account's next purchase will have for its id: that of one which waits, when it goes through next.
    package var nextTransactionId: TransactionID?

    package init(purchases: [Entry], nextTransactionId: TransactionID? = nil) {
      self.purchases = purchases
      self.nextTransactionId = nextTransactionId
    }
  }

  package struct Entry: Codable, Hashable, Sendable {
    package enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
      /// For the family organiser's answer.
      case askToBuy
      /// For the customer, who has something to resolve first.
      case issue
    }
    package var id: String
    package var productId: String
    package var quantity: Int
    package var reason: Reason
    package var device: String?
    package var askedAt: StoreTime
    /// When it runs out; nil for never.
    package var expires: StoreTime?

    package init(
      id: String, productId: String, quantity: Int, reason: Reason, device: String?, askedAt: StoreTime,
      expires: StoreTime?
    ) {
      self.id = id
      self.productId = productId
      self.quantity = quantity
      self.reason = reason
      self.device = device
      self.askedAt = askedAt
      self.expires = expires
    }
  }
}

/// To a device, or to a client node (`W/node/NAME`) for all that it has in common with the store: what the network does
/// to messages. The control link is never touched.
package struct SetNetworkFaults: Request {
  package static let name = "setNetworkFaults"
  /// A device answers with its report.
  package typealias Reply = Done
  /// Nil: the network is good again.
  package var faults: NetworkFaults?
  package init(faults: NetworkFaults?) { self.faults = faults }
}

/// To `W/world/W`: a request of `requests`, for each device of the world that is reachable now.
package struct AllDevices<Message: Request>: Request {
  package static var name: String { Message.name }
  package typealias Reply = ToldDevices
  package var message: Message

  package init(_ message: Message) { self.message = message }
  package init(from decoder: any Decoder) throws { message = try Message(from: decoder) }
  package func encode(to encoder: any Encoder) throws { try message.encode(to: encoder) }
}

/// How many devices did what was asked of all.
package struct ToldDevices: Codable, Hashable, Sendable {
  package var devices: Int
  /// What the first of those said that did not; nil when all did.
  package var failure: String?

  package init(devices: Int, failure: String? = nil) {
    self.devices = devices
    self.failure = failure
  }

  /// The requests to devices that may also go to a world.
  package static let requests: Set<String> = [
    HoldGate.name, SetSimulatedError.name, SetPurchasesAllowed.name, SetNetworkFaults.name, SetOnline.name,
  ]
}

/// What tests have done to a device.
package struct DeviceFaults: Codable, Hashable, Sendable {
  /// Gates that are held.
  package var gates: [HeldGate]
  package var errors: [SetSimulatedError]
  package var network: NetworkFaults?
  package var purchasesAllowed: Bool
  package var interruptsPurchases: Bool

  package init(
    gates: [HeldGate] = [], errors: [SetSimulatedError] = [], network: NetworkFaults? = nil,
    purchasesAllowed: Bool = true, interruptsPurchases: Bool = false
  ) {
    self.gates = gates
    self.errors = errors
    self.network = network
    self.purchasesAllowed = purchasesAllowed
    self.interruptsPurchases = interruptsPurchases
  }

  package static let none = DeviceFaults()
}

/// A gate that is held, and what waits there.
package struct HeldGate: Codable, Hashable, Sendable {
  package var gate: HoldGate.Gate
  /// What each waiting call is about, the oldest first: a product, a transaction, the name of a query.
  package var waiting: [String]

  package init(gate: HoldGate.Gate, waiting: [String]) {
    self.gate = gate
    self.waiting = waiting
  }
}

extension SetSimulatedError {
  /// - Throws: `badBody` when StoreKit cannot fail in this way there.
  package func check() throws(WireError) {
    if let failure, !failure.fits(api) {
      let names = SimulatedFailure.all(of: api).map(\.name).joined(separator: ", ")
      throw WireError(.badBody, "'\(api.rawValue)' does not fail with '\(failure.name)': expected \(names)")
    }
    if let times, times < 1 { throw WireError(.badBody, "it cannot fail \(times) times: expected 1 or more") }
  }
}

extension HoldGate {
  /// - Throws: `badBody` when what is said does not fit together.
  package func check() throws(WireError) {
    if held, count != nil || cancel == true {
      throw WireError(.badBody, "'count' and 'cancel' are about what is let go, not about what is held")
    }
    if let count, count < 1 { throw WireError(.badBody, "\(count) calls cannot pass: expected 1 or more") }
    if cancel == true, !gate.canBeCancelled {
      throw WireError(
        .badBody, "nobody can cancel what waits at '\(gate.rawValue)': expected purchase, purchaseResult or restore")
    }
  }
}
