/// What the headers seen lately lead to, by the SHA-256 of the header; bounded.
struct ChainCache {
  typealias Outcome = Result<CertificateChain, VerificationFailure>

  private struct Entry {
    let outcome: Outcome
    /// The cache's count of look-ups when this entry was last used.
    var lastUse: UInt64
  }

  private var entries: [[UInt8]: Entry] = [:]
  private var lookups: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(capacity, 1) }

  mutating func find(_ digest: [UInt8]) -> Outcome? {
    lookups += 1
    entries[digest]?.lastUse = lookups
    return entries[digest]?.outcome
  }

  /// Adds an entry; if the cache is full, in place of the one that was not used for longest.
  mutating func insert(_ outcome: Outcome, for digest: [UInt8]) {
    // The search goes over all entries: reading a chain, which comes before it, costs far more.
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    entries[digest] = Entry(outcome: outcome, lastUse: lookups)
  }
}
