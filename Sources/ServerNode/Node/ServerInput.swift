package import Foundation
package import Shared
package import Wire

/// Everything that can happen to a server node.
package enum ServerInput: Sendable {
  /// The journal is open.
  case recovered(JournalRecovery)
  /// A whole message came from a peer, which the ROUTER socket names.
  case received(peer: PeerID, frames: [Data])
  /// A SUB socket somewhere subscribed to a topic; reported each time.
  case subscribed(topic: String)
  /// Nobody is subscribed to the topic any more.
  case unsubscribed(topic: String)
  /// These are all worlds that somebody within this process follows.
  case followed(worlds: Set<String>)
  case loaded(ActorAddress, Result<StoredActor, JournalError>)
  case appended(Ticket, Result<JournalAppendResult, JournalError>)
  /// One result for each append of the group.
  case appendedTogether(Ticket, Result<[JournalAppendResult], JournalError>)
  case read(Ticket, Result<[JournalEvent], JournalError>)
  case readRecords(Ticket, Result<[StoredRecord], JournalError>)
  case readNotifications(Ticket, Result<NotificationPage, JournalError>)
  /// A notification was sent, or could not be.
  case posted(Ticket, NotificationPost.Outcome)
  /// The world's certificate authority and its offers key are there.
  case authorityOpened(world: String, Result<WorldKeys, ServerNodeError>)
  /// All actors of the world but its own are gone; the value is its new epoch.
  case erased(world: String, Result<UInt64, JournalError>)
  case signed(Ticket, Result<[Data], ServerNodeError>)
  /// The time that `wake` asked for has come.
  case woke
}

/// What a server node wants done. The shell does it, in order, and nothing else.
package enum ServerEffect: Sendable {
  /// `Journal.activate`; comes back as `loaded`.
  case load(ActorAddress)
  /// `Journal.load`, with every event; comes back as `loaded` too.
  case loadWhole(ActorAddress)
  case append(Ticket, JournalAppend)
  /// In one transaction: all of them, or none when the disk fails.
  case appendTogether(Ticket, [JournalAppend])
  case read(Ticket, actor: ActorAddress, after: UInt64, limit: Int)
  /// `Journal.archived`
  case readRecords(Ticket, actor: ActorAddress, ArchivedRecords)
  /// `Journal.notifications`
  case readNotifications(Ticket, actor: ActorAddress, NotificationQuery)
  /// Comes back as `posted`, whatever becomes of it.
  case post(Ticket, NotificationPost)
  /// Deletes all that is stored of a world's actors, but not of `keeping`.
  case erase(world: String, keeping: [ActorAddress])
  case openAuthority(world: String, environment: String)
  case sign(Ticket, world: String, [SigningJob])
  case send(peer: PeerID, frames: [Data])
  case publish(frames: [Data])
  /// Feed `woke` after this many milliseconds of monotonic time, at the latest; replaces the wish before.
  case wake(afterMilliseconds: Int64)
  case log(String)
}

/// Names an effect whose result comes back as an input.
package struct Ticket: Hashable, Sendable {
  package let number: UInt64
  package init(number: UInt64) { self.number = number }
}

/// A connection, as the ROUTER socket names it.
package struct PeerID: Hashable, Sendable {
  package let routingId: Data
  package init(_ routingId: Data) { self.routingId = routingId }

  /// Whoever asks from within the node's own process. Its name is empty, which no connection's is.
  package static let local = PeerID(Data())
}

/// The time of an input. The store's time is never the time of heartbeats and retries.
package struct Moment: Hashable, Sendable {
  /// Milliseconds of the machine's monotonic clock.
  package var monotonic: Int64
  /// The machine's clock.
  package var wall: StoreTime

  package init(monotonic: Int64, wall: StoreTime) {
    self.monotonic = monotonic
    self.wall = wall
  }
}

/// One signed copy to make.
package struct SigningJob: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case transaction(TransactionRecord)
    case renewalInfo(RenewalInfo)
    case notification(StoreNotification, uuid: UUID)
    case appTransaction(id: String)
  }
  package var subject: Subject
  package var bundleId: String
  package var environment: String
  package var signedDate: StoreTime
  /// Set for a copy that is bound to a device.
  package var device: DeviceBinding?
  /// Signed under a root that nobody trusts, for a test.
  package var underForeignRoot: Bool
  /// A transaction has nothing that is optional.
  package var isSparse: Bool

  package struct DeviceBinding: Hashable, Sendable {
    package var deviceVerificationId: UUID
    /// Fresh for each copy.
    package var nonce: UUID

    package init(deviceVerificationId: UUID, nonce: UUID) {
      self.deviceVerificationId = deviceVerificationId
      self.nonce = nonce
    }
  }

  package init(
    subject: Subject, bundleId: String, environment: String, signedDate: StoreTime, device: DeviceBinding?,
    underForeignRoot: Bool = false, isSparse: Bool = false
  ) {
    self.subject = subject
    self.isSparse = isSparse
    self.bundleId = bundleId
    self.environment = environment
    self.signedDate = signedDate
    self.device = device
    self.underForeignRoot = underForeignRoot
  }
}

/// Why a server node cannot do something, in one sentence for a person.
package struct ServerNodeError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }
}
