package import Foundation
package import Shared

// To `W/node/CLIENT`, a client node that runs load: each makes its own part of the purchases, so that none of them has
// to wait for whoever asked for the run.

/// Makes every running app ready to buy, so that the run measures purchases and nothing before them.
package struct PrepareLoad: Request {
  package static let name = "prepareLoad"
  package var productId: String

  package init(productId: String) { self.productId = productId }

  package struct Reply: Codable, Hashable, Sendable {
    /// How many devices are ready.
    package var devices: Int
    package init(devices: Int) { self.devices = devices }
  }
}

/// This node's part of a run, once in its life. The reply comes when every purchase has ended.
package struct StartLoad: Request {
  package static let name = "startLoad"
  package typealias Reply = LoadCounts
  /// The machine's monotonic time in microseconds, the same for all nodes of a run: they live on one machine.
  package var startAt: Int64
  /// Purchases a second of all nodes together.
  package var rate: Double
  /// Purchases of all nodes together.
  package var total: Int
  /// Which node this is, from 0, and how many there are.
  package var client: Int
  package var clients: Int
  package var seed: UInt64

  package init(startAt: Int64, rate: Double, total: Int, client: Int, clients: Int, seed: UInt64) {
    self.startAt = startAt
    self.rate = rate
    self.total = total
    self.client = client
    self.clients = clients
    self.seed = seed
  }
}

/// How far this node is.
package struct CountLoad: Request {
  package static let name = "countLoad"
  package typealias Reply = LoadCounts
  package init() {}
}

package struct LoadCounts: Codable, Hashable, Sendable {
  /// Purchases that this node has to make.
  package var planned: Int
  package var acknowledged: Int
  package var failed: Int
  /// Elements that listeners got.
  package var delivered: Int

  package init(planned: Int = 0, acknowledged: Int = 0, failed: Int = 0, delivered: Int = 0) {
    self.planned = planned
    self.acknowledged = acknowledged
    self.failed = failed
    self.delivered = delivered
  }
}

/// What this node has recorded so far.
package struct CollectLoad: Request {
  package static let name = "collectLoad"
  package typealias Reply = LoadRecord
  package init() {}
}

package struct LoadRecord: Codable, Hashable, Sendable {
  /// What the indexes in `purchases` and `deliveries` mean.
  package var devices: [String]
  package var counts: LoadCounts
  /// From the intended moment until `purchase()` had returned.
  package var roundTrip: Histogram
  /// From the intended moment until the purchase was begun: how far this node itself was behind.
  package var startDelay: Histogram
  /// Purchases that were begun later than `lateStartMicroseconds`.
  package var lateStarts: Int
  /// When the last purchase had returned, in the machine's monotonic microseconds; 0 when none has.
  package var lastReturnAt: Int64
  /// How often each failure happened, by its sentence.
  package var failures: [String: Int]
  package var purchases: PackedArray<LoadPurchase>
  package var deliveries: PackedArray<LoadDelivery>

  /// A purchase that begins later than this after its moment counts as a late start.
  package static let lateStartMicroseconds: Int64 = 10_000

  package init(
    devices: [String], counts: LoadCounts = LoadCounts(), roundTrip: Histogram = Histogram(),
    startDelay: Histogram = Histogram(), lateStarts: Int = 0, lastReturnAt: Int64 = 0, failures: [String: Int] = [:],
    purchases: PackedArray<LoadPurchase> = PackedArray(), deliveries: PackedArray<LoadDelivery> = PackedArray()
  ) {
    self.devices = devices
    self.counts = counts
    self.roundTrip = roundTrip
    self.startDelay = startDelay
    self.lateStarts = lateStarts
    self.lastReturnAt = lastReturnAt
    self.failures = failures
    self.purchases = purchases
    self.deliveries = deliveries
  }
}

/// A purchase that the app was told of.
package struct LoadPurchase: PackedElement, Hashable {
  package var device: UInt32
  package var transaction: UInt64
  /// The machine's monotonic microseconds.
  package var intendedAt: Int64

  package init(device: UInt32, transaction: UInt64, intendedAt: Int64) {
    self.device = device
    self.transaction = transaction
    self.intendedAt = intendedAt
  }

  package static let packedSize = 20

  package func pack(into bytes: inout Data) {
    bytes.append(littleEndian: device)
    bytes.append(littleEndian: transaction)
    bytes.append(littleEndian: intendedAt)
  }

  package init(packed: Data) {
    device = packed.integer(at: 0)
    transaction = packed.integer(at: 4)
    intendedAt = packed.integer(at: 12)
  }
}

/// An element of `Transaction.updates`, as a device's listener got it.
package struct LoadDelivery: PackedElement, Hashable {
  package var device: UInt32
  package var transaction: UInt64
  /// The machine's monotonic microseconds.
  package var at: Int64

  package init(device: UInt32, transaction: UInt64, at: Int64) {
    self.device = device
    self.transaction = transaction
    self.at = at
  }

  package static let packedSize = 20

  package func pack(into bytes: inout Data) {
    bytes.append(littleEndian: device)
    bytes.append(littleEndian: transaction)
    bytes.append(littleEndian: at)
  }

  package init(packed: Data) {
    device = packed.integer(at: 0)
    transaction = packed.integer(at: 4)
    at = packed.integer(at: 12)
  }
}
