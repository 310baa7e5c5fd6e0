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
  /// The app of a device asks the store daemon; perhaps in a task that was cancelled before.
  case call(CallID, AppID, DaemonCall, isCancelled: Bool = false)
  case iteratorOpened(IteratorID, AppID, IteratorKind)
  /// With the transactions that it had got and nobody had read.
  case iteratorClosed(IteratorID, AppID, unread: [TransactionID] = [])
  /// The app's initializer returned; or threw, with the reason.
  case appLaunched(AppID, failure: String?)
  /// The app's first views came up.
  case appAppeared(AppID)
  /// What begins to listen from now on is what counts: see `AppSession.aged`.
  case listenersAged(device: String)
  /// The host has put the app away.
  case appKilled(AppID)
  /// What the app shows may have changed.
  case screenChanged(device: String)
  case screenRead(AppID, AppScreen?)
  case bought(RequestID, AppID, TapBuy.Reply)
  case restored(RequestID, AppID, TapRestore.Reply)
  case signedIn(RequestID, AppID)
  case hostAnswered(RequestID, Result<Data, WireError>)
  /// A write of `persist` is on disk; or could not be made, with the reason.
  case persisted(WriteID, failure: String?)
}
