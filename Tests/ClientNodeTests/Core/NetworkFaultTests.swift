import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Networks that are slow, lose things, or work one way only.
@Suite struct NetworkFaultTests {
  private func phones(_ count: Int = 1, seed: UInt64 = 1) -> (Bench, [AppID]) {
    var bench = Bench((1...count).map { ("phone\($0)", "alice") }, seed: seed)
    bench.start()
    let apps = (1...count).map { bench.launch("phone\($0)") }
    return (bench, apps)
  }

  private func buy(_ bench: inout Bench, _ app: AppID) -> CallID {
    bench.call(.purchase(PurchaseOrder(productId: "coins")), app)
  }

  @Test func slowNetworkTakesItsTimeBothWays() {
    var (bench, apps) = phones()
    bench.control(SetNetworkFaults(faults: .init(latency: .init(from: 300, to: 300))), "phone1")
    let call = bench.call(.products(["pro"]), apps[0])
    bench.advance(299)
    #expect(bench.store.count(of: "getProducts") == 0)
    bench.advance(300)
    #expect(bench.answers[call] == nil)
    bench.advance(1)
    #expect(bench.answers[call] != nil)
  }

  @Test func requestsAndRepliesThatGetLostAreRepeatedAndDoneOnce() {
    for seed in UInt64(1)...10 {
      var (bench, apps) = phones(seed: seed)
      bench.control(
        SetNetworkFaults(faults: .init(requests: .init(drop: 50, dropReplies: 50, next: 4), seed: seed)), "phone1")
      let call = buy(&bench, apps[0])
      bench.advance(29_000)
      #expect(bench.purchased(call) != nil, "seed \(seed)")
      #expect(bench.store.count(of: "purchase") == 1)
      #expect(bench.store.accounts["alice"]?.history.records.count == 1)
    }
  }

  @Test func lostEventsAreCaughtUpWithAndComeOnce() {
    var (bench, apps) = phones(2)
    bench.control(SetNetworkFaults(faults: .init(events: .init(drop: 100, next: 2))), "phone1")
    let ids = (0..<3).map { _ in bench.store.buy("coins", for: "alice") }
    bench.pump()
    #expect(bench.updates(apps[0]) == [])
    #expect(bench.updates(apps[1]) == ids)
    bench.advance(500)
    #expect(bench.updates(apps[0]) == ids)
  }

  @Test func eventsThatComeTwiceLateOrOvertakeEachOtherAreAppliedOnceAndInOrder() {
    for seed in UInt64(1)...20 {
      var (bench, apps) = phones(2, seed: seed)
      let faults = NetworkFaults(events: .init(duplicate: 40, delay: 40, reorder: 40), seed: seed)
      bench.control(SetNetworkFaults(faults: faults), "phone1")
      var ids: [TransactionID] = []
      for _ in 0..<12 {
        ids.append(bench.store.buy("coins", for: "alice"))
        bench.pump()
        bench.advance(50)
      }
      bench.advance(5_000)
      #expect(bench.updates(apps[0]) == ids, "seed \(seed)")
      #expect(bench.updates(apps[1]) == ids)
    }
  }

  @Test func overtakenEventComesBehindTheNextOne() {
    var (bench, apps) = phones()
    bench.control(SetNetworkFaults(faults: .init(events: .init(reorder: 100, next: 1))), "phone1")
    let first = bench.store.buy("coins", for: "alice")
    bench.pump()
    #expect(bench.updates(apps[0]) == [])
    // The second one is a gap, and the first closes a part of it.
    let second = bench.store.buy("coins", for: "alice")
    bench.pump()
    #expect(bench.updates(apps[0]) == [first])
    bench.advance(200)
    #expect(bench.updates(apps[0]) == [first, second])
    // With nothing behind it, it comes by itself.
    bench.control(SetNetworkFaults(faults: .init(events: .init(reorder: 100, next: 1))), "phone1")
    let third = bench.store.buy("coins", for: "alice")
    bench.pump()
    #expect(bench.updates(apps[0]) == [first, second])
    bench.advance(1_200)
    #expect(bench.updates(apps[0]) == [first, second, third])
  }

  @Test func phoneThatHearsNothingBuysAndLearnsOfOthersOnlyWhenItAsks() {
    var (bench, apps) = phones(2)
    bench.control(SetNetworkFaults(faults: .init(blocked: .events)), "phone1")
    let call = buy(&bench, apps[0])
    bench.advance(500)
    #expect(bench.purchased(call) != nil)
    #expect(bench.updates(apps[0]) == [])
    let other = bench.store.buy("coins", for: "alice")
    bench.pump()
    bench.advance(500)
    #expect(bench.updates(apps[0]) == [])
    #expect(bench.updates(apps[1]).last == other)
    bench.advance(5_000)
    #expect(bench.updates(apps[0]) == [other])
  }

  @Test func wayThatIsOpenAgainIsCaughtUpWithAtOnce() {
    var (bench, apps) = phones(2)
    bench.control(SetNetworkFaults(faults: .init(blocked: .events)), "phone1")
    let id = bench.store.buy("coins", for: "alice")
    bench.pump()
    bench.control(SetNetworkFaults(faults: nil), "phone1")
    bench.advance(300)
    #expect(bench.updates(apps[0]) == [id])
  }

  @Test func nodeWhoseRequestsAreBlockedHearsEventsAndKeepsItsControlLink() {
    var (bench, apps) = phones()
    let node = bench.controlNode(SetNetworkFaults(faults: .init(blocked: .requests)))
    #expect(bench.controlReplies[node] != nil)
    let call = buy(&bench, apps[0])
    bench.advance(31_000)
    #expect(bench.error(call) == .network)
    #expect(bench.store.count(of: "purchase") == 0)
    let inspection = bench.control(InspectDevice(), "phone1")
    #expect(bench.report(of: inspection) != nil)
    bench.controlNode(SetNetworkFaults(faults: nil))
    let again = buy(&bench, apps[0])
    bench.advance(1_000)
    #expect(bench.purchased(again) != nil)
  }

  /// A heartbeat names what changed in the last three intervals; more of them can get lost, if the way there is slow.
  @Test func lossThatNoHeartbeatNamesIsNoticedByTheirNumbers() {
    var (bench, apps) = phones()
    bench.advance(2_000)
    bench.heartbeats = false
    bench.numbersHeartbeats = true
    bench.beat(recent: [])
    bench.areEventsUp = false
    let id = bench.store.buy("coins", for: "alice")
    bench.pump()
    for _ in 0..<4 { bench.beat(recent: ["alice"]) }
    bench.areEventsUp = true
    bench.beat(recent: [])
    bench.advance(500)
    #expect(bench.updates(apps[0]) == [id])
  }

  @Test func slowPhoneGoesOfflineAndWhatWasOnItsWayIsLost() {
    var (bench, apps) = phones()
    bench.control(SetNetworkFaults(faults: .init(latency: .init(from: 500, to: 500))), "phone1")
    let call = buy(&bench, apps[0])
    bench.setOnline(false, "phone1")
    #expect(bench.error(call) == .network)
    bench.advance(5_000)
    #expect(bench.store.count(of: "purchase") == 0)
    bench.control(SetNetworkFaults(faults: nil), "phone1")
    bench.setOnline(true, "phone1")
    let again = buy(&bench, apps[0])
    bench.advance(1_000)
    #expect(bench.purchased(again) != nil)
  }

  @Test(arguments: [
    NetworkFaults(latency: .init(from: 5, to: 1)), NetworkFaults(latency: .init(from: -1, to: 1)),
    NetworkFaults(latency: .init(from: 0, to: Int.max)), NetworkFaults(events: .init(drop: 101)),
    NetworkFaults(requests: .init(drop: -1)), NetworkFaults(events: .init(drop: 1, next: 0)),
  ])
  func faultsOutOfRangeAreRefused(faults: NetworkFaults) {
    var (bench, _) = phones()
    for id in [bench.control(SetNetworkFaults(faults: faults), "phone1"), bench.controlNode(.init(faults: faults))] {
      guard case .failed(let error)? = bench.controlReplies[id]?.outcome else {
        Issue.record("accepted")
        continue
      }
      #expect(error.code == .badBody)
    }
  }

  // MARK: Convergence

  /// Everything bad at once on a seed; once the network is good again all phones have what the store has.
  @Test(arguments: UInt64(1)...30)
  func phonesAgreeWithTheStoreOnceTheNetworkIsGoodAgain(seed: UInt64) {
    let run = FaultyRun(seed: seed)
    for problem in run.problems { Issue.record("seed \(seed): \(problem)") }
  }

  @Test func seedRepeatsARun() {
    let runs = [FaultyRun(seed: 5), FaultyRun(seed: 5), FaultyRun(seed: 6)]
    #expect(runs[0].effects == runs[1].effects)
    #expect(runs[0].effects != runs[2].effects)
  }
}

/// Purchases and refunds over a network that is bad in ways of a seed.
private struct FaultyRun {
  private(set) var problems: [String] = []
  private(set) var effects = 0

  init(seed: UInt64) {
    let names = ["a1", "a2", "b1"]
    var bench = Bench([("a1", "alice"), ("a2", "alice"), ("b1", "bob")], seed: seed)
    var random = SplitMix64(seed: seed &* 31)
    bench.numbersHeartbeats = true
    bench.start()
    var apps = names.map { bench.launch($0) }
    bench.controlNode(SetNetworkFaults(faults: FaultyRun.faults(&random)))
    for name in names { bench.control(SetNetworkFaults(faults: FaultyRun.faults(&random)), name) }
    for _ in 0..<60 {
      let index = Int.random(in: 0..<3, using: &random)
      let account = index < 2 ? "alice" : "bob"
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: bench.store.buy("item", for: account)
      case 2: bench.call(.purchase(PurchaseOrder(productId: "coins")), apps[index])
      case 3:
        let owned = bench.store.accounts[account]?.history.records.filter { $0.revocation == nil } ?? []
        if let record = owned.randomElement(using: &random) { bench.store.refund(record.transactionId, of: account) }
      case 4:
        if let listener = bench.listener[apps[index]],
          let id = bench.transactions(listener).randomElement(using: &random)
        {
          bench.call(.finish(id), apps[index])
        }
      default: bench.control(SetNetworkFaults(faults: FaultyRun.faults(&random)), names[index])
      }
      bench.pump()
      bench.advance(Int64.random(in: 0...800, using: &random))
    }
    bench.controlNode(SetNetworkFaults(faults: nil))
    for name in names { bench.control(SetNetworkFaults(faults: nil), name) }
    bench.advance(120_000)
    effects = bench.allEffects
    for (index, name) in names.enumerated() {
      let truth = bench.store.accounts[index < 2 ? "alice" : "bob"]?.history ?? TransactionHistory()
      if bench.query(.currentEntitlements, apps[index]) != truth.currentEntitlements().map(\.transactionId) {
        problems.append("\(name) shows other entitlements than the store has")
      }
      if bench.query(.unfinished, apps[index]) != truth.unfinished.map(\.transactionId) {
        problems.append("\(name) has other unfinished transactions than the store")
      }
      if bench.store.reports[name]?.sequence != bench.store.position(index < 2 ? "alice" : "bob").sequence {
        problems.append("\(name) did not report its position")
      }
      var seen: Set<[UInt64]> = []
      for element in bench.listener[apps[index]].map({ bench.elements($0) }) ?? [] {
        let key = [element.record.transactionId.rawValue, element.record.recordRevision]
        if !seen.insert(key).inserted { problems.append("\(name) got \(key) twice") }
      }
    }
    apps = []
  }

  private static func faults(_ random: inout SplitMix64) -> NetworkFaults {
    func share() -> Int { Int.random(in: 0...60, using: &random) }
    var faults = NetworkFaults(
      events: .init(drop: share(), duplicate: share(), delay: share(), reorder: share()),
      requests: .init(drop: share(), dropReplies: share()))
    if Bool.random(using: &random) { faults.latency = .init(from: 0, to: Int.random(in: 0...3_000, using: &random)) }
    if Int.random(in: 0..<4, using: &random) == 0 { faults.blocked = .events }
    if Int.random(in: 0..<8, using: &random) == 0 { faults.blocked = .requests }
    return faults
  }
}
