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
        .failure(WireError(.unauthorized, "'\(request.name)' is for control connections: say 'hello' with role control")))
    }
    switch request.address.kind {
    case .node where !isOwn(request.address) && peers[peer]?.role == .control: passOn(request, asker)
    case .node: askNode(request, asker)
    case .device: passOn(request, asker)
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
    case .node: return true
    default: return false
    }
  }

  private static let controlOfAccounts: Set<String> = [Refund.name, AnswerAskToBuy.name]

  // MARK: Introductions

  private mutating func hello(_ request: RequestFrames, _ asker: Asker) {
    do throws(WireError) {
      let hello = try WireJSON.decode(Hello.self, from: request.body)
      guard configuration.token.isEmpty || hello.token == configuration.token else {
        throw WireError(.unauthorized, "the token is not this fleet's: take it from the run folder")
      }
      try introduce(hello, asker.peer)
      reply(
        asker,
        .success(
          WireJSON.encode(
            Hello.Reply(
              node: configuration.node, incarnation: incarnation,
              heartbeatMilliseconds: Int(configuration.heartbeatMilliseconds),
              eventsEndpoint: configuration.eventsEndpoint))))
    } catch {
      reply(asker, .failure(error))
    }
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
    peer.lastHeard = moment.monotonic
    peer.role = hello.role
    for (device, account) in devices {
      directory[device] = DeviceSeat(peer: id, account: account)
      peer.devices.insert(device)
    }
    peers[id] = peer
    if !hello.devices.isEmpty { clientNodes[hello.node] = id }
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
      case ReportDevices.name:
        take(try WireJSON.decode(ReportDevices.self, from: request.body))
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

  private mutating func take(_ request: ReportDevices) {
    for report in request.reports {
      worlds[request.world]?.reports[report.device] = report
      let device = ActorAddress(world: request.world, kind: .device, key: report.device)
      publish(device, sequence: report.sequence, name: ReportDevices.eventName, body: WireJSON.encode(report))
    }
    checkSettled(request.world)
  }

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
        : "no client node has a device '\(address.key)' in world '\(address.world)' at the moment"
      return reply(asker, .failure(WireError(.unknownAddress, message)))
    }
    let wait = Int64(request.deadlineMilliseconds)
    forwards[request.id] = Forward(asker: asker, address: address, expires: moment.monotonic + wait)
    emit(.send(peer: peer, frames: request.frames))
  }

  private mutating func passBack(_ frames: [Data], from peer: PeerID) {
    guard let id = frames.count > 1 ? RequestID(bytes: frames[1]) : nil, let forward = forwards[id],
      seat(of: forward.address) == peer
    else { return }
    forwards[id] = nil
    emit(.send(peer: forward.asker.peer, frames: frames))
  }

  // MARK: Subscribers

  mutating func subscribed(_ topic: String) {
    guard topic.hasSuffix(";"), let address = ActorAddress(topic.dropLast()) else { return }
    switch address.kind {
    case .account, .user, .family: deliver(.subscriber(topic: topic), to: address)
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
