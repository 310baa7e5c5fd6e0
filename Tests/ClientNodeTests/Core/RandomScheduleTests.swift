import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Random schedules over a network that loses, doubles, delays and reorders; what must hold is checked at quiet.
@Suite struct RandomScheduleTests {
  @Test(arguments: UInt64(1)...40)
  func phonesAgreeWithTheStoreOnceItIsQuiet(seed: UInt64) {
    var schedule = RandomSchedule(seed: seed)
    schedule.run(steps: 250)
    for problem in schedule.problems { Issue.record("seed \(seed): \(problem)") }
  }
}

struct RandomSchedule {
  static let devices = [("a1", "alice"), ("a2", "alice"), ("b1", "bob")]
  var bench: Bench
  var random: SplitMix64
  var problems: [String] = []
  private var running: [String: AppID] = [:]
  private var online: [String: Bool] = [:]
  private var positions: [String: StreamPosition] = [:]
  private var lineages: [String: [TransactionID]] = [:]

  init(seed: UInt64) {
    bench = Bench(RandomSchedule.devices, seed: seed)
    random = SplitMix64(seed: seed &* 77)
    for (device, _) in RandomSchedule.devices { online[device] = true }
  }

  mutating func run(steps: Int) {
    bench.start()
    for (device, _) in RandomSchedule.devices { running[device] = bench.launch(device) }
    bench.holdsMessages = true
    for _ in 0..<steps {
      step()
      carry()
      bench.advance(Int64.random(in: 0...400, using: &random))
      checkPositions()
    }
    quiet()
    checkQuiet()
    checkRelaunch()
    checkOnce()
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &random) }

  private mutating func step() {
    guard let (device, account) = pick(RandomSchedule.devices) else { return }
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: bench.store.buy("item", for: account)
    case 2:
      lineages[account, default: []].append(bench.store.subscribe("monthly", for: account))
    case 3: if let lineage = pick(lineages[account] ?? []) { bench.store.renew(lineage, of: account) }
    case 4:
      let owned = bench.store.accounts[account]?.history.records.filter { $0.revocation == nil } ?? []
      if let record = pick(owned) { bench.store.refund(record.transactionId, of: account) }
    case 5: if let lineage = pick(lineages[account] ?? []) { bench.store.setAutoRenew(lineage, of: account, false) }
    case 6, 7:
      if let app = running[device] { bench.call(.purchase(PurchaseOrder(productId: "pro")), app) }
    case 8, 9:
      if let app = running[device], let listener = bench.listener[app],
        let id = pick(bench.transactions(listener))
      {
        bench.call(.finish(id), app)
      }
    case 10:
      let isOnline = !(online[device] ?? true)
      online[device] = isOnline
      bench.setOnline(isOnline, device)
    case 11:
      if running.removeValue(forKey: device) != nil {
        bench.kill(device)
      } else {
        running[device] = bench.launch(device)
      }
    case 12:
      if Int.random(in: 0..<4, using: &random) == 0 { bench.store.restart() }
    case 13:
      if let app = running[device] { bench.call(.sync, app) }
    case 14:
      if Int.random(in: 0..<6, using: &random) == 0 {
        bench.restartProcess()
        running = [:]
      }
    default: break
    }
    bench.publish()
  }

  /// Messages are lost, doubled, overtaken; control messages and the answers to them never are.
  private mutating func carry() {
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      guard let place = bench.wire.indices.randomElement(using: &random) else { return }
      let message = bench.wire[place]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bench.wire.remove(at: place)
      case 1: bench.deliver(message)
      default:
        bench.wire.remove(at: place)
        bench.deliver(message)
      }
    }
  }

  private mutating func checkPositions() {
    for (device, stored) in bench.disk.node.devices {
      let position = stored.state.applied
      if position < (positions[device] ?? .start) { problems.append("\(device) went back to \(position)") }
      positions[device] = position
    }
  }

  private mutating func quiet() {
    bench.holdsMessages = false
    bench.pump()
    for (device, _) in RandomSchedule.devices {
      if online[device] == false { bench.setOnline(true, device) }
      if running[device] == nil { running[device] = bench.launch(device) }
    }
    bench.advance(120_000)
  }

  private mutating func checkQuiet() {
    for (device, account) in RandomSchedule.devices {
      guard let app = running[device], let truth = bench.store.accounts[account]?.history else { continue }
      let entitled = bench.query(.currentEntitlements, app)
      if entitled != truth.currentEntitlements().map(\.transactionId) {
        problems.append("\(device) shows \(entitled ?? []), \(account) has \(truth.currentEntitlements().count)")
      }
      if bench.query(.unfinished, app) != truth.unfinished.map(\.transactionId) {
        problems.append("\(device) has other unfinished transactions than \(account)")
      }
      if bench.store.reports[device]?.sequence != bench.store.position(account).sequence {
        problems.append("\(device) did not report its position")
      }
    }
  }

  private mutating func checkRelaunch() {
    for (device, account) in RandomSchedule.devices {
      bench.kill(device)
      let app = bench.launch(device)
      bench.advance(5_000)
      let unfinished = bench.store.accounts[account]?.history.unfinished.map(\.transactionId) ?? []
      if bench.updates(app) != unfinished {
        problems.append("\(device) was offered \(bench.updates(app)), unfinished are \(unfinished)")
      }
    }
  }

  private mutating func checkOnce() {
    for (app, iterator) in bench.listener {
      var seen: Set<[UInt64]> = []
      for element in bench.elements(iterator) {
        let key = [element.record.transactionId.rawValue, element.record.recordRevision]
        if !seen.insert(key).inserted { problems.append("\(app) got \(key) twice") }
      }
    }
  }
}
