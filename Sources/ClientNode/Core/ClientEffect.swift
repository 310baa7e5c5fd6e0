package import Foundation
package import Shared
package import Wire

/// What a client node does, in this order.
package enum ClientEffect: Sendable {
  case send(ClientLink, [Data])
  /// Connects the SUB socket; the same endpoint again changes nothing.
  case connectEvents(endpoint: String)
  case subscribe(topic: String)
  case unsubscribe(topic: String)
  case answer(CallID, Result<DaemonAnswer, DaemonError>)
  case yield([IteratorID], StreamElement)
  case end([IteratorID])
  /// After the `startApp` of that launch.
  case notice(AppID, AppNotice)
  /// Answered by `appLaunched`.
  case startApp(DeviceIdentity, user: UUID?)
  /// Answered by `appKilled`.
  case killApp(AppID)
  case appear(AppID)
  /// Whether the user may buy from now on.
  case allowPayments(AppID, Bool)
  /// Answered by `bought`.
  case buy(RequestID, AppID, PurchaseOrder)
  /// Answered by `restored`.
  case restore(RequestID, AppID)
  /// Answered by `signedIn`.
  case signIn(RequestID, AppID, user: UUID?)
  /// Answered by `screenRead`.
  case readScreen(AppID)
  /// A request to the node itself. Answered by `hostAnswered`.
  case askHost(RequestID, name: String, body: Data)
  /// Answered by `persisted`, once it would survive a kill of the process.
  case persist(WriteID, StoreWrite)
  /// Sets the clock that the app of this process reads. Nil: the machine's, with the skew.
  case showTime(StoreTime?, skewMilliseconds: Int64)
  /// Leaves word for the next process.
  case remember(UnansweredRequests)
  /// Leaves word for the next process, and ends this one as a kill does.
  case endProcess(UnansweredRequests)
  /// Replaces the earlier instant at which `timerDue` is to come; nil for never.
  case wake(at: MonotonicTime?)
  case log(String)
  /// Every device is registered with the server, and the launches that the node began by itself are over. Once.
  /// - Parameter failedLaunches: a sentence for each of them that came to nothing.
  case ready(failedLaunches: [String])
  /// The node cannot go on.
  case fail(ClientNodeError)
}
