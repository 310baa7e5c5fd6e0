import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Who may ask what, and how requests reach devices on client nodes.
@Suite struct PeerTests {
  private let phones = PeerID(Data("phones".utf8))
  private let others = PeerID(Data("others".utf8))

  private func report(_ device: String, _ sequence: UInt64, online: Bool = true) -> DeviceReport {
    DeviceReport(
      device: device, account: "alice", incarnation: 1, online: online, epoch: 1, sequence: sequence, unfinished: [],
      updates: [], screen: nil)
  }

  private func error(_ store: StoreHarness, _ id: RequestID) -> WireError? {
    guard case .failed(let error) = store.reply(to: id)?.outcome else { return nil }
    return error
  }

  @Test func strangerIsAskedForAHelloFirst() throws {
    let store = try StoreHarness()
    let error = #expect(throws: WireError.self) { try store.ask(DescribeWorld(), of: store.worldAddress, from: phones) }
    #expect(error?.code == .helloFirst)
    #expect(error?.isRetriable == true)
  }

  @Test func wrongTokenIsNotLetIn() throws {
    let store = try StoreHarness(token: "secret")
    let hello = Hello(node: "x", role: .control, token: "guess")
    let error = #expect(throws: WireError.self) {
      try store.ask(hello, of: store.address(.node, "server"), from: phones)
    }
    #expect(error?.code == .unauthorized)
    let after = #expect(throws: WireError.self) { try store.ask(DescribeWorld(), of: store.worldAddress, from: phones) }
    #expect(after?.code == .helloFirst)
  }

  @Test func clientNodesBuyAndDoNotRefundApproveOrTurnTheClock() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    try store.ask(Purchase(productId: "com.example.app.lifetime"), of: store.account("alice"), from: phones)
    func code(_ ask: () throws -> Void) -> WireError.Code? {
      do { try ask() } catch { return (error as? WireError)?.code }
      return nil
    }
    let lifetime = "com.example.app.lifetime"
    #expect(
      code { try store.ask(Refund(productId: lifetime), of: store.account("alice"), from: phones) } == .unauthorized)
    #expect(
      code { try store.ask(AnswerAskToBuy(approve: true), of: store.account("alice"), from: phones) } == .unauthorized)
    #expect(code { try store.ask(SetBilling(fails: true), of: store.account("alice"), from: phones) } == .unauthorized)
    #expect(
      code { try store.ask(ReverseRefund(productId: lifetime), of: store.account("alice"), from: phones) }
        == .unauthorized)
    #expect(
      code { try store.ask(SetTimeRate(.testFlight), of: store.worldAddress, from: phones) } == .unauthorized)
    #expect(code { try store.ask(SetHabits(.init()), of: store.worldAddress, from: phones) } == .unauthorized)
    let redemption = RedeemCode(productId: lifetime, code: "FREE")
    #expect(code { try store.ask(redemption, of: store.account("alice"), from: phones) } == .unauthorized)
    #expect(code { try store.ask(DescribeOfferKeys(), of: store.worldAddress, from: phones) } == .unauthorized)
    #expect(code { try store.ask(AdvanceClock(.nextEvent), of: store.worldAddress, from: phones) } == .unauthorized)
    #expect(code { try store.ask(OpenAccount(account: "eve"), of: store.worldAddress, from: phones) } == .unauthorized)
    #expect(code { try store.ask(DescribeFamily(), of: store.address(.family, "f"), from: phones) } == .unauthorized)
    #expect(
      code { try store.ask(GetEntitlements(), of: store.address(.user, "x"), from: phones) } == .unauthorized)
    #expect(code { try store.ask(LaunchDevice(), of: store.address(.device, "phone"), from: phones) } == .unauthorized)
  }

  @Test func claimNeedsTheSessionOfADeviceOnThatAccount() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("lifetime", by: "alice")
    let id = try #require(try store.history(of: "alice").records.first?.transactionId)
    let copies = GetSignedCopies(copies: [.init(subject: .transaction(id), device: nil, deviceVerificationId: nil)])
    let jws = try store.exchange(copies, of: store.account("alice")).attachments
    try store.hello("phones", as: phones, devices: ["phone": "alice", "other": "bob"])
    try store.hello("others", as: others, devices: ["tablet": "alice"])
    let user = UUID()
    for device in ["other", "tablet", "nobody"] {
      let error = #expect(throws: WireError.self) {
        try store.ask(
          Claim(appAccountToken: user, device: device), of: store.account("alice"), attachments: jws, from: phones)
      }
      #expect(error?.code == .unauthorized)
    }
    // A second connection of the same client node speaks for its devices too.
    let second = PeerID(Data("phones again".utf8))
    try store.hello("phones", as: second)
    try store.ask(
      Claim(appAccountToken: user, device: "phone"), of: store.account("alice"), attachments: jws, from: second)
    #expect(try store.entitlements(of: user).count == 1)
  }

  @Test func claimWithoutTheWorldsSignatureIsRefused() throws {
    let store = try StoreHarness()
    try store.open("alice")
    for attachments in [[], [Data()], [Data("a.b.c".utf8)]] {
      #expect(throws: WireError.self) {
        try store.ask(
          Claim(appAccountToken: UUID(), device: "phone"), of: store.account("alice"), attachments: attachments)
      }
    }
  }

  @Test(arguments: [
    "nowhere/account/alice", "w/account/nobody", "w/family/nobody", "w/planet/mars", "w/world/other", "w/user/me",
    "w/user/6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "w/device/none", "nowhere/user/6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  ])
  func messageToNobodyIsAnswered(address: String) throws {
    let store = try StoreHarness()
    let to = try #require(ActorAddress(address))
    for _ in 0..<2 {
      let id = RequestID(UUID())
      store.send(GetEntitlements(), to: to, id: id)
      #expect([.unknownAddress, .unknownName].contains(try #require(error(store, id)).code))
      let journal = RequestID(UUID())
      store.send(DescribeFamily(), to: to, id: journal)
      #expect(error(store, journal) != nil)
    }
  }

  @Test func unknownNamesAndBadBodiesAreAnswered() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.family("f", "alice")
    let user = store.address(.user, UUID().uuidString.lowercased())
    let node = store.address(.node, "server")
    for address in [store.account("alice"), store.address(.family, "f"), store.worldAddress, user, node] {
      let id = RequestID(UUID())
      store.send(RequestFrames(id: id, address: address, name: "dance", body: Data("{}".utf8)).frames)
      #expect(error(store, id)?.code == .unknownName)
    }
    let names: [(ActorAddress, [String])] = [
      (
        store.account("alice"),
        [
          "purchase", "redeemCode", "finish", "refund", "answerAskToBuy", "setAutoRenew", "claim", "catchUp",
          "getSignedCopies", "getIntroEligibility", "readJournal",
        ]
      ),
      (store.address(.family, "f"), ["createFamily", "joinFamily", "leaveFamily", "setSharing", "readJournal"]),
      (store.worldAddress, ["createWorld", "openAccount", "advanceClock", "getProducts", "readJournal"]),
      (node, ["checkPositions", "reportDevices", "hello"]),
    ]
    for (address, names) in names {
      for name in names {
        for body in ["", "[]", "{}", "null", "{\"x\":", "\u{0}"] {
          let id = RequestID(UUID())
          store.send(RequestFrames(id: id, address: address, name: name, body: Data(body.utf8)).frames)
          #expect(error(store, id)?.code == .badBody, "\(name) with \(body)")
        }
      }
    }
    #expect(try store.events(of: "alice") == ["opened", "familyJoined"])
  }

  @Test func moreCopiesThanAReplyHoldsAreRefused() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let copy = WantedCopy(subject: .transaction(TransactionID(1)), device: nil, deviceVerificationId: nil)
    let most = GetSignedCopies.mostCopies
    let copies = GetSignedCopies(copies: Array(repeating: copy, count: most))
    #expect(try store.ask(copies, of: store.account("alice")).revisions.count == most)
    let error = #expect(throws: WireError.self) {
      try store.ask(GetSignedCopies(copies: copies.copies + [copy]), of: store.account("alice"))
    }
    #expect(error?.code == .badBody)
  }

  @Test func brokenFramesAreAnsweredAndChangeNothing() throws {
    let store = try StoreHarness()
    let whole = RequestFrames(DescribeWorld(), to: store.worldAddress, id: RequestID(UUID())).frames
    for count in 0..<whole.count {
      for broken in [Data(), Data([0xFF, 0xFE]), Data(repeating: 0x53, count: 8)] {
        var frames = Array(whole.prefix(count))
        let sent = store.sent.count
        store.send(frames)
        frames.append(broken)
        store.send(frames + whole.dropFirst(count + 1))
        #expect(store.sent.count > sent || count == 4)
      }
    }
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).world == "w")
  }

  @Test(arguments: ["", "a/b", "a;b", "ä", String(repeating: "x", count: 200), ".."])
  func whatIsNoNameNeverGetsIntoTheJournal(name: String) throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.family("f", "alice")
    let family = store.address(.family, "f")
    for ask in [
      { try store.open(name) }, { _ = try store.ask(JoinFamily(account: name), of: family) },
      { _ = try store.ask(CreateFamily(organizer: name), of: store.address(.family, "g")) },
    ] {
      let error = #expect(throws: WireError.self) { try ask() }
      #expect(error?.code == .badBody)
    }
  }

  // MARK: Devices

  @Test func requestForAClientNodeGoesToTheConnectionOfItsDevices() throws {
    let store = try StoreHarness()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    // The connection on which the same node speaks for itself alone.
    try store.hello("phones", as: others)
    let id = RequestID(UUID())
    store.send(CountLoad(), to: store.address(.node, "phones"), id: id)
    let passed = try #require(store.sent.last)
    #expect(passed.peer == phones)
    #expect(try RequestFrames(frames: passed.frames).name == "countLoad")
    store.send(ReplyFrames(id: id, outcome: .ok(WireJSON.encode(LoadCounts()))).frames, from: phones)
    #expect(store.reply(to: id) != nil)

    let unknown = #expect(throws: WireError.self) { try store.ask(CountLoad(), of: store.address(.node, "nobody")) }
    #expect(unknown?.code == .unknownAddress)
    // Client nodes do not command each other.
    let stranger = #expect(throws: WireError.self) {
      try store.ask(CountLoad(), of: store.address(.node, "phones"), from: phones)
    }
    #expect(stranger?.code == .unknownName)
  }

  @Test func requestForADeviceGoesToItsNodeAndTheReplyComesBack() throws {
    let store = try StoreHarness()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    try store.hello("others", as: others)
    let id = RequestID(UUID())
    store.send(LaunchDevice(), to: store.address(.device, "phone"), id: id)
    let passed = try #require(store.sent.last)
    #expect(passed.peer == phones)
    #expect(try RequestFrames(frames: passed.frames).name == "launch")
    let reply = ReplyFrames(id: id, outcome: .ok(WireJSON.encode(report("phone", 0)))).frames
    // Nobody else can answer for it.
    store.send(reply, from: others)
    store.send(reply, from: PeerID(Data("stranger".utf8)))
    #expect(store.reply(to: id) == nil)
    store.send(reply, from: phones)
    #expect(store.reply(to: id) != nil)
    let count = store.sent.count
    store.send(reply, from: phones)
    #expect(store.sent.count == count, "a second answer goes nowhere")
  }

  @Test func replyCountsThoughTheDeviceHasAnotherConnectionByNow() throws {
    let store = try StoreHarness()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let id = RequestID(UUID())
    store.send(LaunchDevice(), to: store.address(.device, "phone"), id: id)
    let again = PeerID(Data("phones again".utf8))
    try store.hello("phones", as: again, devices: ["phone": "alice"])
    store.send(ReplyFrames(id: id, outcome: .ok(WireJSON.encode(report("phone", 0)))).frames, from: phones)
    #expect(store.reply(to: id) != nil)
  }

  @Test func silentClientNodeIsForgottenAndWhoWaitsForItIsTold() throws {
    let store = try StoreHarness()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let id = RequestID(UUID())
    store.send(
      RequestFrames(LaunchDevice(), to: store.address(.device, "phone"), id: id, deadlineMilliseconds: 600_000).frames)
    store.wait(milliseconds: 32_000)
    #expect(error(store, id)?.code == .unavailable)
    let second = RequestID(UUID())
    store.send(LaunchDevice(), to: store.address(.device, "phone"), id: second)
    #expect(error(store, second)?.code == .unknownAddress)
  }

  @Test func nodeReportsOnlyItsOwnDevices() throws {
    let store = try StoreHarness()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    try store.hello("others", as: others)
    let node = store.address(.node, "server")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 3), report("ghost", 1)]), of: node, from: others)
    #expect(try store.ask(ListDevices(), of: store.worldAddress).devices.map { $0.report == nil } == [true])
    #expect(!store.published.contains { $0.topic.contains("device") })
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 3), report("ghost", 1)]), of: node, from: phones)
    #expect(try store.ask(ListDevices(), of: store.worldAddress).devices.map { $0.report?.sequence } == [3])
    #expect(store.published.filter { $0.topic.contains("device") }.map(\.topic) == ["w/device/phone;"])
  }

  @Test func reportIsKeptThoughTheWorldIsAsleepAfterARestart() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.restart()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    try store.ask(
      ReportDevices(world: "w", reports: [report("phone", 1)]), of: store.address(.node, "server"), from: phones)
    #expect(try store.ask(ListDevices(), of: store.worldAddress).devices.map { $0.report?.sequence } == [1])
  }

  // MARK: Settled

  @Test func settledWaitsForEveryLaunchedOnlineDevice() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let node = store.address(.node, "server")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 1)]), of: node, from: phones)
    _ = try store.ask(Settle(), of: store.worldAddress)
    try store.buy("lifetime", by: "alice")
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 1)]), of: node, from: phones)
    #expect(store.reply(to: id) == nil)
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 2)]), of: node, from: phones)
    #expect(store.reply(to: id) != nil)
    try store.buy("coins", by: "alice")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 2, online: false)]), of: node, from: phones)
    _ = try store.ask(Settle(), of: store.worldAddress)
  }

  @Test func settledWaitsForAPhoneThatHasJustAnsweredItsLaunch() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("lifetime", by: "alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let launch = RequestID(UUID())
    store.send(LaunchDevice(), to: store.address(.device, "phone"), id: launch)
    let answer = ReplyFrames(id: launch, outcome: .ok(WireJSON.encode(report("phone", 1))))
    store.send(answer.frames, from: phones)
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    let node = store.address(.node, "server")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 2)]), of: node, from: phones)
    #expect(store.reply(to: id) != nil)
  }

  @Test func settledWaitsForTheFirstReportOfADevice() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    try store.ask(
      ReportDevices(world: "w", reports: [report("phone", 1)]), of: store.address(.node, "server"), from: phones)
    #expect(store.reply(to: id) != nil)
  }

  @Test func settledDoesNotWaitForAClientNodeThatFellSilent() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let node = store.address(.node, "server")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 1)]), of: node, from: phones)
    try store.buy("lifetime", by: "alice")
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    store.wait(milliseconds: 3_000)
    #expect(store.reply(to: id) == nil)
    store.wait(milliseconds: 1_500)
    guard case .ok(let body) = store.reply(to: id)?.outcome else {
      Issue.record("there is no answer")
      return
    }
    // Nobody waited for it, and it says so.
    #expect(try WireJSON.decode(Settle.Reply.self, from: body).unheard == ["phone"])
  }

  @Test func settledDoesNotSpeakOfDevicesThatAreOffOrInStep() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let node = store.address(.node, "server")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 1)]), of: node, from: phones)
    #expect(try store.ask(Settle(), of: store.worldAddress).unheard == nil)
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 1, online: false)]), of: node, from: phones)
    store.wait(milliseconds: 4_500)
    #expect(try store.ask(Settle(), of: store.worldAddress).unheard == nil)
  }

  @Test func settledKnowsAfterARestartWhereSleepingAccountsAre() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("lifetime", by: "alice")
    try store.restart()
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    let node = store.address(.node, "server")
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 1)]), of: node, from: phones)
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    try store.ask(ReportDevices(world: "w", reports: [report("phone", 2)]), of: node, from: phones)
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: id) != nil)
  }

  @Test func settledWaitsAfterARestartUntilTheClientNodesAreBack() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    try store.restart()
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil, "nobody knows yet who is on the way back")
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    try store.ask(
      ReportDevices(world: "w", reports: [report("phone", 1)]), of: store.address(.node, "server"), from: phones)
    store.wait(milliseconds: 500)
    #expect(store.reply(to: id) == nil, "another one may follow")
    store.wait(milliseconds: 1_500)
    #expect(store.reply(to: id) != nil)
  }

  @Test func settledDoesNotWaitForEverForClientNodesThatStayAway() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.restart()
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    store.wait(milliseconds: 3_000)
    #expect(store.reply(to: id) == nil)
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: id) != nil)
  }

  @Test func settledWaitsForEffectsThatCouldNotBeCommitted() throws {
    let store = try StoreHarness()
    try store.open("alice")
    store.failsAppend = { $0.actor.kind == .user ? JournalError(.full, "full") : nil }
    try store.buy("lifetime", by: "alice", token: UUID())
    let id = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: id) != nil)
  }

  // MARK: Heartbeats

  @Test func heartbeatNamesTheIncarnationAndWhatChangedLately() throws {
    let store = try StoreHarness()
    try store.open("alice", "bob")
    try store.buy("lifetime", by: "alice")
    store.wait(milliseconds: 1_000)
    func last() throws -> Heartbeat {
      let event = try #require(store.published.last { $0.topic == "*;" })
      return try WireJSON.decode(Heartbeat.self, from: event.body)
    }
    #expect(try last().recent.map { "\($0.account.key) \($0.epoch) \($0.sequence)" } == ["alice 1 2", "bob 1 1"])
    #expect(try last().incarnation == 1)
    store.wait(milliseconds: 5_000)
    #expect(try last().recent.isEmpty)
    try store.restart()
    store.wait(milliseconds: 1_000)
    #expect(try last().incarnation == 2)
  }

  @Test func subscriptionIsEchoedWithWhereTheActorIs() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("lifetime", by: "alice")
    for (topic, sequence) in [("w/account/alice;", 2), ("w/account/nobody;", 0), ("nowhere/account/x;", 0)] {
      store.subscribe(topic)
      let echo = store.published.last
      #expect(echo?.topic == topic && echo?.name == "subscribed" && echo?.sequence == UInt64(sequence))
    }
  }
}
