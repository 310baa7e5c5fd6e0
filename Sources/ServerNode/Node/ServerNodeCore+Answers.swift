import Foundation
import Shared
import Wire

/// How the reply of a turn is made, when it is more than a body: reads of the journal, signatures, questions that
/// concern the whole node.
extension ServerNodeCore {
  mutating func answer(_ asker: Asker, _ reply: ActorOutcome.Reply, at address: ActorAddress) {
    switch reply {
    case .none, .later: break
    case .body(let body): self.reply(asker, .success(body))
    case .refused(let error): self.reply(asker, .failure(error))
    case .signed(let body, let jobs): sign(jobs, body, asker, address.world)
    case .catchUp(let after): read(after: after, limit: CatchUp.mostEvents, .catchUp, asker, address)
    case .journal(let after, let limit): read(after: after, limit: limit, .journal, asker, address)
    case .notifications(let question): ask(question, asker, of: address)
    case .afterJump(let body):
      worlds[address.world]?.jumpWaiters.append((asker, body))
      worlds[address.world]?.isJumping = true
      announceJump(address)
      // A world that is not open cannot play its timers; whoever waits is told when it does not open.
      if isOpen(address.world) { pump(address.world) } else { activateWorld(address.world) }
    case .node(let question): answer(asker, question, address.world)
    }
  }

  private mutating func answer(_ asker: Asker, _ question: ActorOutcome.NodeQuestion, _ world: String) {
    switch question {
    case .describeWorld: describeWorld(asker, world)
    case .describeAPIKeys: describeAPIKeys(asker, world)
    case .listDevices: listDevices(asker, world)
    case .settle: settle(world, for: asker)
    }
  }

  // MARK: Worlds

  private mutating func describeWorld(_ asker: Asker, _ world: String) {
    guard let runtime = worlds[world], let state = runtime.state, let settings = state.settings,
      let catalog = state.catalog
    else { return reply(asker, .failure(WireError(.unavailable, "world '\(world)' is not open yet: ask again"))) }
    guard let root = runtime.rootCertificate else {
      // The first question of all, `createWorld`, comes before the authority is open.
      let address = ActorAddress(world: world, kind: .world, key: world)
      let again = Envelope.request(asker, name: DescribeWorld.name, body: Data("{}".utf8), attachments: [])
      guard hasRoom(runtime.early.count, for: again, to: address) else { return }
      worlds[world]?.early.append((address, again))
      return activateWorld(world)
    }
    let description = WorldDescription(
      world: world, bundleId: settings.bundleId, environment: settings.environment,
      storefront: catalog.settings.storefront, currency: catalog.settings.currency, epoch: runtime.epoch,
      now: state.now(machine: moment.wall), clock: settings.clock, timeRate: state.timeRate,
      rootCertificate: Data(root), catalog: state.catalogText,
      habits: state.habits == Habits() ? nil : state.habits,
      notificationURLs: state.notificationURLs.isEmpty ? nil : state.notificationURLs, gracePeriod: state.gracePeriod)
    reply(asker, .success(WireJSON.encode(description)))
  }

  private mutating func describeAPIKeys(_ asker: Asker, _ world: String) {
    guard let runtime = worlds[world], let settings = runtime.state?.settings, let root = runtime.rootCertificate,
      let key = runtime.apiKey
    else { return reply(asker, .failure(WireError(.unavailable, "world '\(world)' is not open yet: ask again"))) }
    do {
      let identity = StoreIdentity(bundleId: settings.bundleId, environment: settings.environment)
      let keys = DescribeAPIKeys.Reply(
        keyId: key.id, issuerId: key.issuer, privateKey: try key.privateKeyPEM(), bundleId: settings.bundleId,
        environment: settings.environment, appAppleId: identity.appAppleId, rootCertificate: Data(root),
        http: configuration.httpBaseURL)
      reply(asker, .success(WireJSON.encode(keys)))
    } catch {
      reply(asker, .failure(WireError(.internalError, "\(error)")))
    }
  }

  private mutating func listDevices(_ asker: Asker, _ world: String) {
    let epoch = worlds[world]?.epoch ?? 1
    let entries = directory.filter { $0.key.world == world }.map { device, seat in
      DeviceEntry(
        device: device.key, account: seat.account.key, node: peers[seat.peer]?.node ?? "",
        position: AccountPosition(account: seat.account, epoch: epoch, sequence: positions[seat.account] ?? 0),
        report: seat.report)
    }
    reply(asker, .success(WireJSON.encode(ListDevices.Reply(devices: entries.sorted { $0.device < $1.device }))))
  }

  // MARK: The journal

  private mutating func read(
    after: UInt64, limit: Int, _ purpose: PendingRead.Purpose, _ asker: Asker, _ address: ActorAddress
  ) {
    let position = AccountPosition(
      account: address, epoch: worlds[address.world]?.epoch ?? 1, sequence: cells[address]?.sequence ?? 0)
    let ticket = ticket()
    reads[ticket] = PendingRead(asker: asker, address: address, purpose: purpose, position: position)
    emit(.read(ticket, actor: address, after: after, limit: limit))
  }

  mutating func finishRead(_ ticket: Ticket, _ result: Result<[JournalEvent], JournalError>) {
    guard let read = reads.removeValue(forKey: ticket) else { return }
    do throws(WireError) {
      let events = try result.mapError { WireError(.unavailable, $0.message) }.get()
      switch read.purpose {
      case .catchUp: reply(read.asker, .success(try catchUp(events, read)))
      case .journal:
        let entries = events.map {
          ReadJournal.Entry(
            sequence: $0.sequence, name: $0.name, at: StoreTime(milliseconds: $0.at),
            body: String(decoding: $0.body, as: UTF8.self))
        }
        reply(
          read.asker,
          .success(WireJSON.encode(ReadJournal.Reply(epoch: read.position.epoch, events: entries))))
      }
    } catch {
      reply(read.asker, .failure(error))
    }
  }

  private func catchUp(_ events: [JournalEvent], _ read: PendingRead) throws(WireError) -> Data {
    var updates: [AccountUpdate] = []
    // What was committed since the question is published too; the asker drops what it has.
    for event in events where event.sequence <= read.position.sequence {
      guard let kind = AccountEvent.Kind(rawValue: event.name) else {
        throw WireError(
          .internalError, "event \(event.sequence) of \(read.address) has an unknown name '\(event.name)'")
      }
      do {
        let decoded = try AccountEvent.decode(kind: kind, body: event.body)
        updates.append(decoded.update(sequence: event.sequence, at: StoreTime(milliseconds: event.at)))
      } catch {
        throw WireError(
          .internalError, "event \(event.sequence) of \(read.address) cannot be read: \(DecodingText.of(error))")
      }
    }
    return WireJSON.encode(CatchUp.Reply(position: read.position, content: .events(updates)))
  }

  // MARK: Signatures

  private mutating func sign(_ jobs: [SigningJob], _ body: Data, _ asker: Asker, _ world: String) {
    guard !jobs.isEmpty else { return reply(asker, .success(body)) }
    let jobs = jobs.map { job in
      var job = job
      job.device?.nonce = entropy.uuid()
      return job
    }
    let isShared = worlds[world]?.state?.habits.deviceBoundJWS == false
    let epoch = worlds[world]?.epoch ?? 1
    let keys = jobs.map { isShared ? SharedCopies.Key($0, world: world, epoch: epoch) : nil }
    var signing = PendingSigning(
      asker: asker, body: body, copies: keys.map { $0.flatMap { sharedCopies[$0] } }, keys: keys)
    for place in jobs.indices where signing.copies[place] == nil {
      if keys[place].map({ sharedCopies.begin($0) }) ?? true { signing.signed.append(place) }
    }
    guard !signing.signed.isEmpty else {
      sharedSignings.append(signing)
      return answerSigned()
    }
    let ticket = ticket()
    signings[ticket] = signing
    emit(.sign(ticket, world: world, signing.signed.map { jobs[$0] }))
  }

  mutating func finishSigning(_ ticket: Ticket, _ result: Result<[Data], ServerNodeError>) {
    guard var signing = signings.removeValue(forKey: ticket) else { return }
    switch result {
    case .success(let signed):
      var shared: [SharedCopies.Key: Data] = [:]
      for (place, copy) in zip(signing.signed, signed) {
        signing.copies[place] = copy
        guard let key = signing.keys[place] else { continue }
        sharedCopies.keep(copy, for: key)
        shared[key] = copy
      }
      sharedSignings.append(signing)
      answerSigned(with: shared)
    case .failure(let error):
      let failed = Set(signing.signed.compactMap { signing.keys[$0] })
      for key in failed { sharedCopies.giveUp(key) }
      let waiting = sharedSignings
      sharedSignings = waiting.filter { !$0.waits(forOneOf: failed) }
      for signing in [signing] + waiting.filter({ $0.waits(forOneOf: failed) }) {
        reply(signing.asker, .failure(WireError(.unavailable, error.message)))
      }
    }
  }

  /// Answers who has all copies now.
  private mutating func answerSigned(with shared: [SharedCopies.Key: Data] = [:]) {
    var waiting: [PendingSigning] = []
    for var signing in sharedSignings {
      for place in signing.copies.indices where signing.copies[place] == nil {
        signing.copies[place] = signing.keys[place].flatMap { shared[$0] }
      }
      if signing.copies.contains(nil) {
        waiting.append(signing)
      } else {
        reply(signing.asker, signed: signing.copies.compactMap { $0 }, signing.body)
      }
    }
    sharedSignings = waiting
  }

  /// - Parameter copies: those of what the account has, in the order asked.
  private mutating func reply(_ asker: Asker, signed copies: [Data], _ body: Data) {
    guard let revisions = (try? WireJSON.decode(SignedCopies.self, from: body))?.revisions else {
      return reply(asker, .success(body), attachments: copies)
    }
    // What the account lacks has an empty attachment in its place.
    var next = copies.makeIterator()
    reply(asker, .success(body), attachments: revisions.map { $0 == nil ? Data() : next.next() ?? Data() })
  }
}

extension PendingSigning {
  fileprivate func waits(forOneOf keys: Set<SharedCopies.Key>) -> Bool {
    zip(self.keys, copies).contains { key, copy in copy == nil && key.map(keys.contains) == true }
  }
}
