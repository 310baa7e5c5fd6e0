import ClientNode
import Foundation
import Shared
import Wire

/// One phone of a town: a client node of its own, its disk, and the app on it.
struct Phone {
  let name: String
  var account: String
  var core: ClientNodeCore
  var disk = StoredNode()
  var subscriptions: Set<String> = []
  var wakeAt: Int64?
  /// Counts the starts of the phone: what an earlier one asked for has no effect.
  var starts = 0
  /// Whether what the phone says to the store arrives, and whether the answers and events come back.
  var isLinkUp = true

  // The app.
  /// How many listeners it opens in its initializer.
  var listensAtLaunch = 1
  /// Whether its first listener finishes what it gets, and purchases are finished once they are delivered.
  var finishes = true
  var app: AppID?
  var listeners: [IteratorID] = []
  var statusListener: IteratorID?
  var heard: [IteratorID: [SignedTransaction]] = [:]
  var statuses: [SignedStatus] = []
  var storefronts: [String] = []
  var ended: Set<IteratorID> = []
  var answers: [CallID: Result<DaemonAnswer, DaemonError>] = [:]
  var notices: [AppNotice] = []
  var log: [String] = []

  init(name: String, account: String, seed: UInt64, verify: @escaping ClientNodeCore.Verify) {
    self.name = name
    self.account = account
    core = Phone.node(name, account, seed, verify)
  }

  static func node(
    _ name: String, _ account: String, _ seed: UInt64, _ verify: @escaping ClientNodeCore.Verify
  ) -> ClientNodeCore {
    let configuration = ClientNodeConfiguration(
      world: Town.world, node: "node-\(name)", devices: [.init(name: name, account: account)],
      requestsEndpoint: "inproc://requests")
    return ClientNodeCore(configuration: configuration, seed: seed, verify: verify)
  }

  func peer(_ link: ClientLink) -> PeerName { PeerName(phone: name, start: starts, link: link) }
}

/// A connection of a phone, as the server's ROUTER would name it.
struct PeerName: Hashable {
  var phone: String
  var start: Int
  var link: ClientLink

  var bytes: Data { Data("\(phone)/\(start)/\(link)".utf8) }
}

extension StoredNode {
  /// As the phone's file does it.
  mutating func save(_ write: StoreWrite) {
    if let world = write.world { self.world = world }
    for change in write.devices {
      let known = change.replacesAll ? nil : devices[change.device]
      var device = known ?? StoredDevice(state: change.state)
      device.state = change.state
      for record in change.records {
        device.records.removeAll { $0.transactionId == record.transactionId }
        device.records.append(record)
      }
      for info in change.renewalInfos {
        device.renewalInfos.removeAll { $0.originalTransactionId == info.originalTransactionId }
        device.renewalInfos.append(info)
      }
      device.copies.merge(change.copies) { _, new in new }
      devices[change.device] = device
    }
  }
}
