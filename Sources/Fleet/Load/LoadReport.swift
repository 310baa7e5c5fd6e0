import Shared
package import Wire

/// What a load run found, as `--json` prints it.
package struct LoadReport: Codable, Hashable, Sendable {
  package struct Cost: Codable, Hashable, Sendable {
    /// Processor seconds during the run.
    package var serverCPUSeconds: Double
    package var clientCPUSeconds: Double
    /// Processor microseconds for each delivery; nil without deliveries.
    package var serverCPUMicrosecondsPerDelivery: Double?
    package var clientCPUMicrosecondsPerDelivery: Double?
  }

  package struct Memory: Codable, Hashable, Sendable {
    /// Resident memory of all client processes, in bytes: before the apps are launched, after, and after the run.
    package var clientsBeforeLaunch: UInt64
    package var clientsAfterLaunch: UInt64
    package var clientsAfterRun: UInt64
    package var serverAfterRun: UInt64
    /// What one launched device added, in bytes.
    package var perDevice: Int64
  }

  package var devices: Int
  package var accounts: Int
  package var clients: Int
  package var product: String
  package var seed: UInt64
  /// Purchases a second: asked for, and acknowledged from the start until the last one returned.
  package var rateAsked: Double
  package var rateAchieved: Double
  package var durationSeconds: Double
  package var purchases: Int
  /// Purchases that were begun more than 10 ms after their moment.
  package var lateStarts: Int
  package var startDelay: LatencySummary
  package var roundtrip: LatencySummary
  package var propagation: LatencySummary
  package var owed: Int
  package var delivered: Int
  package var lost: Int
  package var duplicates: Int
  package var late: Int
  package var unacknowledged: Int
  package var errors: Int
  /// How often each failure happened, by its sentence.
  package var failures: [String: Int]
  package var cost: Cost
  package var memory: Memory
  /// The conditions of `--fail-if` that hold.
  package var failed: [String] = []

  package init(
    plan: FleetPlan, product: String, seed: UInt64, rate: Double, durationSeconds: Double, startAt: Int64,
    records: [LoadRecord], usage: LoadUsage
  ) {
    let audit = LoadAudit(records, accountOfDevice: plan.accountOfDevice)
    devices = plan.devices
    accounts = plan.accounts.count
    clients = plan.clients
    self.product = product
    self.seed = seed
    rateAsked = rate
    self.durationSeconds = durationSeconds
    purchases = records.reduce(0) { $0 &+ $1.counts.acknowledged }
    let last = records.map(\.lastReturnAt).max() ?? 0
    rateAchieved = (Double(purchases) / max(durationSeconds, Double(last &- startAt) / 1_000_000)).toThousandths
    lateStarts = records.reduce(0) { $0 &+ $1.lateStarts }
    startDelay = LatencySummary(records.reduce(into: Histogram()) { $0.merge($1.startDelay) })
    roundtrip = LatencySummary(records.reduce(into: Histogram()) { $0.merge($1.roundTrip) })
    propagation = LatencySummary(audit.propagation)
    owed = audit.owed
    delivered = audit.delivered
    lost = audit.lost
    duplicates = audit.duplicates
    late = audit.late
    unacknowledged = audit.unacknowledged
    errors = records.reduce(0) { $0 &+ $1.counts.failed }
    failures = records.reduce(into: [:]) { $0.merge($1.failures) { $0 &+ $1 } }
    cost = Cost(usage, deliveries: audit.delivered)
    memory = Memory(usage, devices: plan.devices)
  }

  /// Nil for a percentile of nothing; durations in microseconds.
  package func value(of metric: LoadMetric) -> Int64? {
    switch metric {
    case .count(.lost): Int64(lost)
    case .count(.duplicates): Int64(duplicates)
    case .count(.late): Int64(late)
    case .count(.errors): Int64(errors)
    case .duration(.propagation, let point): propagation[point]
    case .duration(.roundtrip, let point): roundtrip[point]
    }
  }
}

extension LoadReport.Cost {
  fileprivate init(_ usage: LoadUsage, deliveries: Int) {
    serverCPUSeconds = (usage.serverAfter.cpuSeconds - usage.serverBefore.cpuSeconds).toThousandths
    clientCPUSeconds = (usage.clientsAfter.cpuSeconds - usage.clientsLaunched.cpuSeconds).toThousandths
    guard deliveries > 0 else { return }
    serverCPUMicrosecondsPerDelivery = (serverCPUSeconds * 1_000_000 / Double(deliveries)).toThousandths
    clientCPUMicrosecondsPerDelivery = (clientCPUSeconds * 1_000_000 / Double(deliveries)).toThousandths
  }
}

extension LoadReport.Memory {
  fileprivate init(_ usage: LoadUsage, devices: Int) {
    clientsBeforeLaunch = usage.clientsReady.residentBytes
    clientsAfterLaunch = usage.clientsLaunched.residentBytes
    clientsAfterRun = usage.clientsAfter.residentBytes
    serverAfterRun = usage.serverAfter.residentBytes
    perDevice = (Int64(clientsAfterLaunch) - Int64(clientsBeforeLaunch)) / Int64(max(1, devices))
  }
}

extension Double {
  /// Figures finer than this are noise of the measurement.
  fileprivate var toThousandths: Double { (self * 1_000).rounded() / 1_000 }
}
