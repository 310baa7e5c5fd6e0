import Foundation
import Shared
import Wire

extension ClientNodeCore {
  // MARK: Subscription

  mutating func subscribe(_ account: String) {
    guard let address = accounts[account]?.address else { return }
    effects.append(.subscribe(topic: address.topic))
    timers.set(.subscription(account: account), at: jitter(2_000...3_000))
  }

  /// The echo did not come: it is asked for again, and meanwhile heartbeats and catch-ups keep the account right.
  mutating func subscribeAgain(_ account: String) {
    guard let sync = accounts[account], !sync.isSubscribed else { return }
    accounts[account]?.subscriptionAttempts += 1
    effects.append(.unsubscribe(topic: sync.address.topic))
    effects.append(.subscribe(topic: sync.address.topic))
    let wait = Int64(2_000) << Int64(min(sync.subscriptionAttempts, 4))
    timers.set(.subscription(account: account), at: jitter(wait...(2 * wait)))
    catchUpIfNeeded(account, within: 0...100)
  }

  // MARK: Events

  mutating func receiveEvent(_ frames: [Data]) {
    // The clock is people's to move: it does not go through the simulated network.
    if network.faults == nil && overtaken[.node] == nil || isOfTheWorld(frames) {
      takeEvent(frames)
    } else {
      carry(.event(frames), over: .node)
    }
  }

  private func isOfTheWorld(_ frames: [Data]) -> Bool {
    frames.first == Data(address(.world, configuration.world).topic.utf8)
  }

  mutating func takeEvent(_ frames: [Data]) {
    do {
      let event = try EventFrames(frames: frames)
      if isHeartbeat(event) {
        try takeHeartbeat(event)
      } else if event.topic == address(.world, configuration.world).topic {
        try takeWorldEvent(event)
      } else if let account = accountOfTopic[event.topic] {
        try takeAccountEvent(event, account)
      }
    } catch {
      effects.append(.log("an event was ignored: \(error.message)"))
    }
  }

  private mutating func takeAccountEvent(_ event: EventFrames, _ account: String) throws(WireError) {
    let position = StreamPosition(epoch: event.epoch, sequence: event.sequence)
    accounts[account]?.heard(position)
    hasten(account)
    // Even one that cannot be read has told that it is there.
    defer { catchUpIfNeeded(account, within: 0...100) }
    if event.name == AccountUpdate.subscribed {
      accounts[account]?.isSubscribed = true
      timers.clear(.subscription(account: account))
      checked(account, at: position)
      return
    }
    var update = try WireJSON.decode(AccountUpdate.self, from: event.body)
    update.sequence = event.sequence
    for device in accounts[account]?.devices ?? [] {
      if devices[device]?.network.faults == nil, overtaken[.device(device)] == nil {
        _ = devices[device]?.receive(update, epoch: event.epoch, live: true)
        touch(device)
      } else if devices[device]?.isOnline == true {
        carry(.update(update, epoch: event.epoch, device: device), over: .device(device))
      }
    }
  }

  /// The account is known to be at `position` now: devices that are there too have missed nothing.
  mutating func checked(_ account: String, at position: StreamPosition) {
    for device in accounts[account]?.devices ?? [] {
      guard let core = devices[device], core.isOnline, core.received == position else { continue }
      devices[device]?.checkedAt = position
      touch(device)
    }
  }

  // MARK: Catch-up

  /// Asks for what is missing, a little later and not at the same moment as everybody else.
  mutating func catchUpIfNeeded(_ account: String, within range: ClosedRange<Int64>) {
    guard link.incarnation != 0, let sync = accounts[account], sync.catchUp == nil,
      !timers.contains(.catchUp(account: account)),
      sync.devices.contains(where: { devices[$0]?.needsCatchUp(head: sync.head) == true })
    else { return }
    let wait = sync.stalls == 0 ? 0 : min(Int64(100) << Int64(min(sync.stalls, 6)), 5_000)
    timers.set(.catchUp(account: account), at: jitter((range.lowerBound + wait)...(range.upperBound + wait)))
  }

  /// Something new is known of the account: a catch-up that backs off need not wait any longer.
  mutating func hasten(_ account: String) {
    guard let sync = accounts[account], sync.stalls > 0 else { return }
    accounts[account]?.stalls = 0
    timers.clear(.catchUp(account: account))
    catchUpIfNeeded(account, within: 0...20)
  }

  mutating func catchUp(_ account: String) {
    guard let sync = accounts[account], sync.catchUp == nil else { return }
    let behind = sync.devices.compactMap { devices[$0] }.filter { $0.needsCatchUp(head: sync.head) }
    guard let least = behind.map(\.received).min() else { return }
    let message = CatchUp(epoch: least.epoch, after: least.sequence)
    let request = ask(message, of: sync.address, for: .catchUp(account: account, after: least))
    accounts[account]?.catchUp = request
  }

  mutating func caughtUp(
    _ account: String, after asked: StreamPosition, _ result: Result<CatchUp.Reply, WireError>
  ) {
    accounts[account]?.catchUp = nil
    switch result {
    case .success(let reply):
      startOverIfAhead(account, asked: asked, answered: reply.position.position)
      accounts[account]?.heard(reply.position.position)
      var hasProgress = false
      for device in accounts[account]?.devices ?? [] { hasProgress = take(reply, device) || hasProgress }
      if hasProgress { accounts[account]?.stalls = 0 } else { accounts[account]?.stalls += 1 }
      catchUpIfNeeded(account, within: 0...20)
    case .failure(let error):
      effects.append(.log("account \(account) could not be caught up with: \(error.message)"))
      accounts[account]?.stalls += 1
      catchUpIfNeeded(account, within: 500...1_000)
    }
  }

  /// An account never goes back within an epoch: a phone that was further than its account has a damaged position, and
  /// would take every event to come for an old one.
  private mutating func startOverIfAhead(_ account: String, asked: StreamPosition, answered: StreamPosition) {
    guard asked.epoch == answered.epoch, answered < asked else { return }
    for name in accounts[account]?.devices ?? [] where devices[name].map({ $0.received >= asked }) == true {
      devices[name]?.startOver()
      effects.append(.log("device \(name): its local store is ahead of account \(account), and is read anew"))
    }
  }

  /// - Returns: whether the device is further now, or knows that it missed nothing.
  private mutating func take(_ reply: CatchUp.Reply, _ name: String) -> Bool {
    guard let device = devices[name], device.isOnline, device.catchesUp else { return false }
    // Who is deaf takes part in what it asked for itself.
    guard device.hearsEvents || device.needsCatchUp(head: .start) else { return false }
    let position = reply.position.position
    guard position.epoch >= device.received.epoch else { return false }
    touch(name)
    switch reply.content {
    case .events(let updates) where position.epoch == device.received.epoch:
      for update in updates { _ = devices[name]?.receive(update, epoch: position.epoch, live: false) }
    case .events(let updates):
      // The first events of an epoch that the device knows nothing of.
      devices[name]?.receive(
        TransactionHistory(folding: updates), storefront: updates.lastStorefront, at: position)
    case .snapshot(let history): devices[name]?.receive(history, storefront: reply.storefront, at: position)
    }
    guard let received = devices[name]?.received, received >= position else { return false }
    let hasProgress = received > device.received || device.checkedAt == nil
    if device.checkedAt == nil { devices[name]?.checkedAt = position }
    return hasProgress
  }

  // MARK: Signed copies

  /// One request for all that the devices of an account lack; what comes up meanwhile goes into the next.
  mutating func fetchCopies(_ account: String) {
    guard world != nil, let sync = accounts[account], sync.copies == nil else { return }
    var wanted: [WantedCopy] = []
    // Of copies that are bound to no device, one is for all.
    var shared: Set<WantedCopy.Subject> = []
    for name in sync.devices {
      guard let device = devices[name], device.isOnline else { continue }
      let room = GetSignedCopies.mostCopies - wanted.count
      guard room > 0 else { break }
      let missing = device.missingCopies(limit: room)
      let state = device.store.state
      func copy(_ subject: WantedCopy.Subject) -> WantedCopy {
        WantedCopy(subject: subject, device: name, deviceVerificationId: state.deviceVerificationId)
      }
      if let (fault, count) = device.tampering, fault.isTheSigners {
        let spoiled = missing.filter(\.isTransaction).prefix(count)
        if !spoiled.isEmpty {
          devices[name]?.tampering = count > spoiled.count ? (fault, count - spoiled.count) : nil
          askForCopies(account, spoiled.map(copy), fault: fault)
          return
        }
      }
      if habits.deviceBoundJWS {
        wanted += missing.map(copy)
      } else {
        wanted += missing.filter { shared.insert($0).inserted }
          .map { WantedCopy(subject: $0, device: nil, deviceVerificationId: nil) }
      }
    }
    if !wanted.isEmpty { askForCopies(account, wanted, fault: nil) }
  }

  private mutating func askForCopies(_ account: String, _ wanted: [WantedCopy], fault: TamperCopies.Fault?) {
    let request = ask(
      GetSignedCopies(copies: wanted, fault: fault), of: address(.account, account),
      for: .copies(account: account, wanted))
    accounts[account]?.copies = request
  }

  mutating func copiesCame(
    _ account: String, _ wanted: [WantedCopy], _ result: Result<SignedCopies, WireError>, _ attachments: [Data]
  ) {
    accounts[account]?.copies = nil
    touchedAccounts.insert(account)
    var revisions: [UInt64?] = []
    switch result {
    case .success(let reply): revisions = reply.revisions
    case .failure(let error):
      effects.append(.log("account \(account) gave no signed copies, updates come unverified: \(error.message)"))
    }
    for (place, copy) in wanted.enumerated() {
      let revision = place < revisions.count ? revisions[place] : nil
      let bytes = place < attachments.count ? attachments[place] : Data()
      for name in copy.device.map({ [$0] }) ?? accounts[account]?.devices ?? [] {
        guard let device = devices[name], device.isOnline, copy.device != nil || device.lacks(copy.subject) else {
          continue
        }
        let checked = check(bytes, revision ?? 0, copy, name)
        devices[name]?.accept(copy.subject, revision: revision, copy: checked)
        touch(name)
      }
    }
  }

  /// A copy as the device takes it: spoiled when a test asks for that, and checked.
  private mutating func check(_ bytes: Data, _ revision: UInt64, _ wanted: WantedCopy, _ name: String) -> SignedCopy {
    guard let world, let state = devices[name]?.store.state, !bytes.isEmpty else {
      return SignedCopy(revision: revision, jws: "", failure: .invalidEncoding)
    }
    var jws = String(decoding: bytes, as: UTF8.self)
    if let (fault, count) = devices[name]?.tampering, !fault.isTheSigners, wanted.subject.isTransaction {
      devices[name]?.tampering = count > 1 ? (fault, count - 1) : nil
      jws = fault.applied(to: jws)
    }
    return SignedCopy(
      revision: revision, jws: jws,
      failure: failure(of: jws, wanted.subject, state, world, isDeviceBound: wanted.device != nil))
  }

  func failure(
    of jws: String, _ subject: WantedCopy.Subject?, _ state: DeviceState, _ world: WorldDescription,
    isDeviceBound: Bool
  ) -> VerificationFailure? {
    verify(
      SignedCopyCheck(
        jws: jws, subject: subject, deviceVerificationId: state.deviceVerificationId, bundleId: world.bundleId,
        environment: world.environment, rootCertificate: world.rootCertificate, isDeviceBound: isDeviceBound))
  }

  /// Checks what came from the disk, once in each process and before an app sees it: a file can be damaged. A copy that
  /// fails shows as unverified, and the next whole history brings a new one.
  mutating func checkStoredCopies(_ name: String) {
    guard let world, let stored = devices[name]?.store.takeUncheckedCopies(), !stored.isEmpty,
      let state = devices[name]?.store.state
    else { return }
    for (subject, copy) in stored {
      // It may be from a time when the world bound copies to no device.
      guard let failure = failure(of: copy.jws, subject, state, world, isDeviceBound: false) else { continue }
      devices[name]?.store.put(SignedCopy(revision: 0, jws: copy.jws, failure: failure), for: subject)
      effects.append(.log("device \(name): a signed copy in its local store is damaged (\(failure))"))
    }
  }
}

extension WantedCopy.Subject {
  var isTransaction: Bool { if case .transaction = self { true } else { false } }
}

extension [AccountUpdate] {
  /// Where the account buys after these events; nil where none says it.
  var lastStorefront: String? { last { $0.storefront != nil }?.storefront }
}

extension TransactionHistory {
  /// What the events of an account lead to, from its first on.
  init(folding updates: [AccountUpdate]) {
    self.init()
    for update in updates {
      for record in update.records { put(record) }
      for info in update.renewalInfos { put(info) }
      for id in update.finished { finish(id) }
    }
  }
}
