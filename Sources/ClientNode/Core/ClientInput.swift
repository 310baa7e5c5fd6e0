package import Foundation
package import Shared
package import Wire

/// What happens to a client node.
package enum ClientInput: Sendable {
  /// The first input: what the local store had, and the machine's wall clock.
  case started(StoredNode, wallClock: StoreTime)
  /// The machine's wall clock, from time to time.
  case wallClock(StoreTime)
  /// A message came over a DEALER link, unparsed.
  case received(ClientLink, [Data])
  /// A message came over the SUB socket, unparsed.
  case event([Data])
  /// libzmq made the connection of a link.
  case linkUp(ClientLink)
  /// The instant of the last `wake` has come.
  case timerDue
  /// The app of a device asks the store daemon.
  case call(CallID, AppID, DaemonCall)
  case iteratorOpened(IteratorID, AppID, IteratorKind)
  case iteratorClosed(IteratorID, AppID)
  /// The app's initializer returned; or threw, with the reason.
  case appLaunched(AppID, failure: String?)
  /// The app's first views came up.
  case appAppeared(AppID)
  /// The host has put the app away.
  case appKilled(AppID)
  /// What the app shows may have changed.
  case screenChanged(device: String)
  case screenRead(AppID, AppScreen?)
  case bought(RequestID, AppID, TapBuy.Reply)
  case restored(RequestID, AppID, TapRestore.Reply)
  case signedIn(RequestID, AppID)
  /// A write of `persist` is on disk; or could not be made, with the reason.
  case persisted(WriteID, failure: String?)
}

/// A client node's connections that carry requests.
package enum ClientLink: Hashable, Sendable, CaseIterable {
  /// What the phones say to the store; cut for a device that is offline.
  case store
  /// What people say to the phones, and the phones' reports; never cut.
  case control
}

/// One launch of one device's app.
package struct AppID: Hashable, Sendable {
  package var device: String
  package var incarnation: UInt64

  package init(device: String, incarnation: UInt64) {
    self.device = device
    self.incarnation = incarnation
  }
}

/// Names a call that waits for its answer; unique in the process.
package struct CallID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

extension CallID: Comparable {
  package static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
}

/// Names an iterator of `updates` or `statusUpdates`; unique in the process.
package struct IteratorID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

package enum IteratorKind: Hashable, Sendable { case transactions, statuses }

package struct WriteID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// A call of `StoreDaemon` as a value.
package enum DaemonCall: Hashable, Sendable {
  case products([String])
  case purchase(PurchaseOrder)
  case finish(TransactionID)
  case sync
  case transactions(TransactionQuery)
  case statuses(group: String?)
  case introEligibility(group: String)
}

package enum DaemonAnswer: Sendable {
  case products(GetProducts.Reply)
  case purchase(PurchaseOutcome)
  case done
  case transactions([SignedTransaction])
  case statuses([SignedStatus])
  case isEligible(Bool)
}
