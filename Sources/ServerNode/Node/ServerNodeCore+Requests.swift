import Foundation
import Shared
import Wire

/// What comes over the wire: introductions, requests to actors here, requests for devices elsewhere, and their replies.
extension ServerNodeCore {
  mutating func receive(_ frames: [Data], from peer: PeerID) {
    if ReplyFrames.isReply(frames) { return passBack(frames, from: peer) }
    let request: RequestFrames
    do { request = try RequestFrames(frames: frames) } catch {
      let id = frames.count > 1 ? RequestID(bytes: frames[1]) : nil
      emit(.log("bad message from a peer: \(error.message)"))
      return emit(.send(peer: peer, frames: ReplyFrames(id: id, outcome: .failed(error)).frames))
    }
    let asker = Asker(peer: peer, id: request.id)
    if request.name == Hello.name { return hello(request, asker) }
    guard peers[peer] != nil else {
      return reply(
        asker, .failure(WireError(.helloFirst, "say 'hello' first on this connection, then '\(request.name)' again")))
    }
    peers[peer]?.lastHeard = moment.monotonic
    guard isAllowed(request, to: peer) else {
      return reply(
        asker,
        .failure(
          WireError(.unauthorized, "'\(request.name)' is for control connections: say 'hello' with role control")))
    }
    guard mayClaim(request, peer) else {
      return reply(
        asker,
        .failure(
          WireError(
            .unauthorized, "a claim comes from the client node of a device that is signed in to \(request.address)")))
    }
    switch request.address.kind {
    case .node where !isOwn(request.address) && peers[peer]?.role == .control: passOn(request, asker)
    case .node: askNode(request, asker)
    case .device: passOn(request, asker)
    case .world where ToldDevices.requests.contains(request.name): tellAll(request, asker)
    default:
      deliver(
        .request(asker, name: request.name, body: request.body, attachments: request.attachments), to: request.address)
    }
  }

  /// Client nodes speak for devices: they buy and finish, and do not refund or turn the clock.
  private func isAllowed(_ request: RequestFrames, to peer: PeerID) -> Bool {
    guard peers[peer]?.role == .client else { return true }
    switch request.address.kind {
    case .account: return !ServerNodeCore.controlOfAccounts.contains(request.name)
    case .world: return request.name == GetProducts.name || request.name == DescribeWorld.name
    case .node: return request.name != ListWorlds.name
    default: return false
    }
  }

  /// A claim needs the session of a device on that account; control connections speak for anybody.
  private func mayClaim(_ request: RequestFrames, _ peer: PeerID) -> Bool {
    guard request.name == Claim.name, request.address.kind == .account, peers[peer]?.role == .client,
      let claim = try? WireJSON.decode(Claim.self, from: request.body)
    else { return true }
    let device = ActorAddress(world: request.address.world, kind: .device, key: claim.device)
    return directory[device]?.account == request.address && livesBehind(peer, device)
  }

  /// Whether a device lives on the client node that a connection belongs to, or is that node: a node may have several
  /// connections.
  private func livesBehind(_ peer: PeerID, _ address: ActorAddress) -> Bool {
    guard let seat = seat(of: address) else { return false }
    return seat == peer || isSameNode(seat, peer)
  }

  private func isSameNode(_ left: PeerID, _ right: PeerID) -> Bool {
    guard let left = peers[left], let right = peers[right] else { return false }
    return left.node == right.node && left.role == right.role
  }

  private static let controlOfAccounts: Set<String> = [
    Refund.name, AnswerAskToBuy.name, SetBilling.name, RequestPriceIncrease.name, ExtendSubscription.name,
    DeclineRefund.name, ReverseRefund.name, SetAppAccountToken.name, SetStorefront.name, ResetAccount.name,
    RedeemCode.name, SendConsumptionInformation.name, SetInterruptedPurchases.name, ResolveIssue.name,
    BackdatePurchase.name, DeleteTransaction.name, ExpireSubscription.name, RenewSubscription.name,
  ]

  // MARK: Introductions

  private mutating func hello(_ request: RequestFrames, _ asker: Asker) {
    do throws(WireError) {
      let hello = try WireJSON.decode(Hello.self, from: request.body)
      guard configuration.token.isEmpty || hello.token == configuration.token else {
        throw WireError(
          .unauthorized, "the token is not this fleet's: say it in STOREFLEET_TOKEN, or take it from the run folder")
      }
      try introduce(hello, asker.peer)
      reply(
        asker,
        .success(
          WireJSON.encode(
            Hello.Reply(
              node: configuration.node, incarnation: incarnation,
              heartbeatMilliseconds: Int(configuration.heartbeatMilliseconds),
              eventsEndpoint: configuration.eventsEndpoint, devices: reachable(over: asker.peer)))))
    } catch {
      reply(asker, .failure(error))
    }
  }

  private func reachable(over peer: PeerID) -> Int {
    peers[peer]?.devices.count { directory[$0]?.peer == peer } ?? 0
  }

  private mutating func introduce(_ hello: Hello, _ id: PeerID) throws(WireError) {
    var devices: [(ActorAddress, ActorAddress)] = []
    for device in hello.devices {
      guard [device.world, device.device, device.account].allSatisfy({ ActorAddress.isName($0) }) else {
        throw WireError(.badBody, "'\(device.world)/\(device.device)' of '\(device.account)' are no names")
      }
      devices.append(
        (
          ActorAddress(world: device.world, kind: .device, key: device.device),
          ActorAddress(world: device.world, kind: .account, key: device.account)
        ))
    }
    var peer = peers[id] ?? Peer(node: hello.node, role: hello.role, lastHeard: moment.monotonic)
    if clientNodes[peer.node] == id, peer.node != hello.node { clientNodes[peer.node] = nil }
    peer.node = hello.node
    peer.lastHeard = moment.monotonic
    peer.role = hello.role
    peers[id] = peer
    for (device, account) in devices {
      let isSame = directory[device].map { isSameNode($0.peer, id) || $0.peer == id } ?? false
      directory[device] = DeviceSeat(peer: id, account: account, report: isSame ? directory[device]?.report : nil)
      peer.devices.insert(device)
    }
    peers[id] = peer
    if hello.role == .client, !hello.devices.isEmpty {
      clientNodes[hello.node] = id
      firstClientAt = firstClientAt ?? moment.monotonic
    }
    makeRoomForPeers()
  }

  // MARK: The node itself

  /// Every server node answers as `server`: who comes anew does not know its name.
  private func isOwn(_ address: ActorAddress) -> Bool {
    address.key == configuration.node || address.key == "server"
  }

  private mutating func askNode(_ request: RequestFrames, _ asker: Asker) {
    do throws(WireError) {
      switch request.name {
      case CheckPositions.name:
        checkPositions(try WireJSON.decode(CheckPositions.self, from: request.body), asker)
      case ListWorlds.name:
        _ = try WireJSON.decode(ListWorlds.self, from: request.body)
        let names = knownWorlds.union(worlds.filter { $0.value.state?.settings != nil }.keys)
        reply(
          asker, .success(WireJSON.encode(ListWorlds.Reply(worlds: names.sorted().map { WorldEntry(world: $0) }))))
      case ReportDevices.name:
        take(try WireJSON.decode(ReportDevices.self, from: request.body), from: asker.peer)
        reply(asker, .success(WireJSON.encode(Done())))
      default: throw .unknownRequest(request.name, request.address)
      }
    } catch {
      reply(asker, .failure(error))
    }
  }

  private mutating func checkPositions(_ request: CheckPositions, _ asker: Asker) {
    let stale = request.positions.compactMap { position -> AccountPosition? in
      let epoch = worlds[position.account.world]?.epoch ?? 1
      // An account that did nothing since the start is not known here: the asker has to look for itself.
      let sequence = positions[position.account]
      guard sequence == nil || sequence != position.sequence || epoch != position.epoch else { return nil }
      return AccountPosition(account: position.account, epoch: epoch, sequence: sequence ?? 0)
    }
    reply(asker, .success(WireJSON.encode(CheckPositions.Reply(stale: stale))))
  }

  private mutating func take(_ request: ReportDevices, from peer: PeerID) {
    for report in request.reports {
      let device = ActorAddress(world: request.world, kind: .device, key: report.device)
      // A node speaks for its own devices only; of others, nothing is kept.
      guard livesBehind(peer, device) else { continue }
      keep(report, of: device)
    }
    checkSettled(request.world)
  }

  private mutating func keep(_ report: DeviceReport, of device: ActorAddress) {
    count { $0.deviceReports += 1 }
    directory[device]?.report = report
    publish(device, sequence: report.sequence, name: ReportDevices.eventName, body: WireJSON.encode(report))
  }

  /// What a device answers counts as its report: whoever has launched a phone and then waits for the world to settle
  /// waits for that phone too.
  private mutating func keepAnswer(_ frames: [Data], _ forward: Forward) {
    guard forward.answersWithReport, let reply = try? ReplyFrames(frames: frames), case .ok(let body) = reply.outcome,
      let report = try? WireJSON.decode(DeviceReport.self, from: body), report.device == forward.address.key
    else { return }
    keep(report, of: forward.address)
    checkSettled(forward.address.world)
  }

  static let answeredWithReport: Set<String> = [
    LaunchDevice.name, KillDevice.name, SetOnline.name, HoldGate.name, SignInUser.name, BreakSync.name,
    TamperCopies.name, SetSimulatedError.name, SetPurchasesAllowed.name, SetNetworkFaults.name,
    SetInterruptedPurchases.name, SetSkew.name,
  ]

  // MARK: Devices

  /// The connection behind which a device lives, or a client node itself is.
  private func seat(of address: ActorAddress) -> PeerID? {
    address.kind == .node ? clientNodes[address.key] : directory[address]?.peer
  }

  /// Passes a request on to the client node where the device lives, or that it is for.
  private mutating func passOn(_ request: RequestFrames, _ asker: Asker) {
    let address = request.address
    guard let peer = seat(of: address) else {
      count { $0.deadLetters += 1 }
      let message =
        address.kind == .node
        ? "there is no client node '\(address.key)' at the moment"
        : "no client node has a device '\(address.key)' in world '\(address.world)' at the moment: "
          + "'storefleet devices' lists those that there are"
      return reply(asker, .failure(WireError(.unknownAddress, message)))
    }
    guard forwards.count < ServerNodeCore.mostForwards || forwards[request.id] != nil else {
      return reply(
        asker,
        .failure(
          WireError(.overloaded, "\(ServerNodeCore.mostForwards) requests wait for devices already: ask again later")))
    }
    let wait = Int64(request.deadlineMilliseconds)
    forwards[request.id] = Forward(
      asker: asker, address: address, peer: peer, expires: moment.monotonic + wait,
      answersWithReport: address.kind == .device && ServerNodeCore.answeredWithReport.contains(request.name))
    emit(.send(peer: peer, frames: request.frames))
  }

  /// Whoever asks devices faster than they answer has to wait.
  static let mostForwards = 100_000

  /// Only the client node that was asked can answer, on whichever of its connections.
  private mutating func passBack(_ frames: [Data], from peer: PeerID) {
    guard let id = frames.count > 1 ? RequestID(bytes: frames[1]) : nil, let forward = forwards[id],
      forward.peer == peer || livesBehind(peer, forward.address)
    else { return }
    peers[peer]?.lastHeard = moment.monotonic
    forwards[id] = nil
    keepAnswer(frames, forward)
    if let round = forward.round {
      let outcome = (try? ReplyFrames(frames: frames))?.outcome
      return answered(round, forward, failure: outcome?.failure)
    }
    emit(.send(peer: forward.asker.peer, frames: frames))
  }

  // MARK: Subscribers

  mutating func subscribed(_ topic: String) {
    guard topic.hasSuffix(";"), let address = ActorAddress(topic.dropLast()) else { return }
    switch address.kind {
    case .account, .user, .family, .notifications: deliver(.subscriber(topic: topic), to: address)
    default:
      let epoch = worlds[address.world]?.epoch ?? 1
      emit(
        .publish(
          frames: EventFrames(
            topic: topic, epoch: epoch, sequence: 0, name: AccountUpdate.subscribed, body: Data("{}".utf8)
          ).frames))
    }
  }
}

extension ReplyFrames {
  /// Whether frames begin as a reply does; what follows may still be wrong.
  static func isReply(_ frames: [Data]) -> Bool {
    guard let header = frames.first, header.count == 8 else { return false }
    return header[header.startIndex + 3] == Frames.Kind.reply.rawValue
  }
}

extension ReportDevices {
  /// The name under which a device's report is published on the device's topic.
  package static let eventName = "report"
}
