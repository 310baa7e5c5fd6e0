/// What a journal writer has done since it was made, for metrics.
package struct JournalWriterCounters: Hashable, Sendable {
  /// Transactions that reached the disk.
  package var commits: UInt64 = 0
  /// Transactions that failed.
  package var failedCommits: UInt64 = 0
  /// Appends that reached the disk.
  package var appends: UInt64 = 0
  /// Appends that were refused: conflicts and repetitions.
  package var refusedAppends: UInt64 = 0
  /// Bytes of events, replies and effects that reached the disk.
  package var bytes: UInt64 = 0
  /// Events that reached the disk, by the kind of their actor and their name.
  package var events: [String: [String: UInt64]] = [:]
  /// How long transactions took, the sync of the disk included, failed ones too.
  package var commitTimes = LatencyHistogram()
  /// Appends and reads that wait now.
  package var queueDepth = 0

  package init() {}
}
