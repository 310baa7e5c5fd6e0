import Shared
import Wire

/// Timers of a world that were played in memory, one after another and each with all its effects, and go to the disk
/// together. Nobody hears of any of it before it is there.
struct JumpBatch {
  let ticket: Ticket
  /// The first timer: what is tried alone, the usual way, when the group cannot be stored.
  let first: TimerHeap.Entry
  /// In the order in which they were decided; empty once they are on their way.
  var appends: [JournalAppend] = []
  /// Of each append, for when it is on disk.
  var news: [CommitNews] = []
  var byteCount = 0
  /// Committed with the batch and not applied yet, in order.
  var effects = Mailbox<OutboundEffect>()
  /// Effects on actors that were busy: they go the usual way once they are on disk.
  var leftOver: [OutboundEffect] = []
  /// The actors that it has changed, each once.
  var actors: [ActorAddress] = []
  /// What the world's timers were before, to be put back when it fails.
  var timersBefore: [(actor: ActorAddress, name: String, due: StoreTime?)] = []
  /// The actor that is being loaded so that the batch can go on.
  var waitsFor: ActorAddress?

  /// What one commit of the writer takes along: bounds how long nobody hears of anything, and the transaction's memory.
  static let mostAppends = 1_024
  static let mostBytes = 4 << 20
}
