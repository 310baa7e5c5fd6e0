import Shared
import Wire

/// The state of reading a journal event by event; `JournalTruth` is its result.
struct JournalFold {
  let now: StoreTime
  private(set) var records: [TransactionID: TransactionRecord] = [:]
  private(set) var renewalInfos: [TransactionID: RenewalInfo] = [:]
  private(set) var finished: Set<TransactionID> = []
  private(set) var products: [ProductTruth] = []
  private(set) var problems: [String] = []
  private var lastSequence: UInt64?
  private var lastTime: StoreTime?

  /// Whether the world lists subscriptions in billing retry.
  private let entitlesInRetry: Bool

  init(now: StoreTime, entitlesInRetry: Bool = false) {
    self.now = now
    self.entitlesInRetry = entitlesInRetry
  }

  // MARK: Reading

  mutating func read(_ entry: ReadJournal.Entry) {
    let event = "event \(entry.sequence) (\(entry.name))"
    let expected = (lastSequence ?? 0) + 1
    if entry.sequence != expected { problems.append("\(event) follows \(lastSequence ?? 0): expected \(expected)") }
    if let lastTime, entry.at < lastTime { problems.append("\(event) is of \(entry.at), before \(lastTime)") }
    lastSequence = entry.sequence
    lastTime = entry.at
    let body: LedgerBody
    do { body = try LedgerBody.read(entry.body) } catch {
      problems.append("\(event) cannot be read: \(DecodingText.of(error))")
      return
    }
    if entry.name == "reset" {
      // The account starts anew: what it had before counts for nothing.
      records = [:]
      renewalInfos = [:]
      finished = []
    }
    if entry.name == "deleted", let lineage = LedgerDetail.read(entry.body).lineage {
      records = records.filter { $0.value.originalTransactionId != lineage }
      finished = finished.filter { records[$0] != nil }
      renewalInfos[lineage] = nil
    }
    let movesEnds = entry.name == "extended" || entry.name == "cutShort"
    for record in body.records { read(record, event, isExtension: movesEnds) }
    for info in body.renewalInfos {
      if let known = renewalInfos[info.originalTransactionId], info.recordRevision < known.recordRevision {
        problems.append("\(event) takes the renewal info of \(info.originalTransactionId) back to an older revision")
      }
      renewalInfos[info.originalTransactionId] = info
    }
    for id in body.finished {
      if records[id] == nil { problems.append("\(event) finishes transaction \(id), which the account never had") }
      finished.insert(id)
    }
  }

  /// - Parameter isExtension: an extension, or a test, moves the end of a transaction.
  private mutating func read(_ record: TransactionRecord, _ event: String, isExtension: Bool) {
    if let known = records[record.transactionId] {
      if record.recordRevision < known.recordRevision {
        problems.append("\(event) takes transaction \(record.transactionId) back to an older revision")
      }
      if record.productId != known.productId || record.expiresDate != known.expiresDate && !isExtension {
        problems.append("\(event) changes the product or the expiry of transaction \(record.transactionId)")
      }
    }
    records[record.transactionId] = record
    if record.isFinished { finished.insert(record.transactionId) }
  }

  // MARK: Judging

  /// Decides what each product is worth now.
  mutating func judge() {
    let all = records.values.sorted { $0.transactionId < $1.transactionId }
    for record in all {
      if let revocation = record.revocation, now < revocation.date {
        problems.append("transaction \(record.transactionId) is revoked on \(revocation.date), which is yet to come")
      }
    }
    for (_, ofProduct) in Dictionary(grouping: all.filter { $0.type == .nonConsumable }, by: \.productId) {
      judgeOwned(ofProduct)
    }
    for (_, ofProduct) in Dictionary(grouping: all.filter { $0.type == .nonRenewing }, by: \.productId) {
      judgeOwned(ofProduct)
    }
    let lineages = Dictionary(grouping: all.filter { $0.type == .autoRenewable }, by: \.originalTransactionId)
    for (lineage, ofLineage) in lineages.sorted(by: { $0.key < $1.key }) { judgeLineage(lineage, ofLineage) }
    problems.append(contentsOf: doubleSubscriptions())
    keepOneTruthAProduct()
  }

  /// What lasts without a clock: the newest transaction that was not taken back, else the newest that was.
  private mutating func judgeOwned(_ records: [TransactionRecord]) {
    guard let record = records.last(where: { $0.revocation == nil }) ?? records.last else { return }
    let why = record.revocation.map(TruthText.revoked) ?? TruthText.acquired(record)
    products.append(truth(record, isEntitled: record.revocation == nil, why: why))
  }

  /// A subscription: the clock decides between the dates of the transactions; the status must then fit.
  private mutating func judgeLineage(_ lineage: TransactionID, _ records: [TransactionRecord]) {
    let inOrder = records.sorted { ($0.purchaseDate, $0.transactionId) < ($1.purchaseDate, $1.transactionId) }
    let begun = inOrder.filter { !$0.isUpgraded && $0.purchaseDate <= now }
    let info = renewalInfos[lineage]
    if info == nil { problems.append("subscription \(lineage) has no renewal info") }
    guard let record = begun.last ?? inOrder.last else { return }
    guard let expires = record.expiresDate else {
      problems.append("transaction \(record.transactionId) is a subscription without an expiry")
      return
    }
    let standing = standing(of: record, expires: expires, grace: info?.gracePeriodExpiresDate)
    let isListedInRetry = entitlesInRetry && standing.isOver && info?.status == .inBillingRetryPeriod
    products.append(
      truth(record, isEntitled: standing.isEntitled || isListedInRetry, why: TruthText.of(standing, record, info)))
    guard let info else { return }
    if info.latestTransactionId != record.transactionId {
      problems.append(
        "the renewal info of subscription \(lineage) names transaction \(info.latestTransactionId) as the latest, "
          + "but \(record.transactionId) is")
    }
    if let claim = standing.contradiction(of: info.status) {
      problems.append("subscription \(lineage) (\(record.productId)) \(claim), but it \(standing.fact) at \(now)")
    }
  }

  private func standing(of record: TransactionRecord, expires: StoreTime, grace: StoreTime?) -> SubscriptionStanding {
    if let revocation = record.revocation { return .revoked(revocation) }
    if now < record.purchaseDate { return .notBegun }
    if now < expires { return .running(until: expires) }
    if let grace, now < grace { return .inGrace(until: grace) }
    return .over(since: expires)
  }

  private func truth(_ record: TransactionRecord, isEntitled: Bool, why: String) -> ProductTruth {
    ProductTruth(
      productId: record.productId, transactionId: record.transactionId, isEntitled: isEntitled,
      isFamilyShared: record.inAppOwnershipType == .familyShared, why: why)
  }

  /// An account has at most one subscription of its own that runs in a group.
  private func doubleSubscriptions() -> [String] {
    let own = products.filter { $0.isEntitled && !$0.isFamilyShared }.compactMap { records[$0.transactionId] }
    let groups = Dictionary(grouping: own.filter { $0.type == .autoRenewable }) {
      $0.subscriptionGroupIdentifier ?? $0.transactionId.description
    }
    return groups.sorted { $0.key < $1.key }.filter { $0.value.count > 1 }.map { group, records in
      "\(records.count) subscriptions of the group \(group) run at once: "
        + records.map(\.productId).sorted().joined(separator: ", ")
    }
  }

  /// A product may have several lineages (one of its own, one shared): one that entitles counts, else the newest.
  private mutating func keepOneTruthAProduct() {
    products = Dictionary(grouping: products, by: \.productId).values.compactMap { truths in
      truths.max { ($0.isEntitled ? 1 : 0, $0.transactionId) < ($1.isEntitled ? 1 : 0, $1.transactionId) }
    }
  }
}
