import Foundation
import Shared
import Wire

/// Requests to a world that are meant for each of its devices.
extension ServerNodeCore {
  /// Passes a request on to every device of the world that is reachable now. A repeated one is not passed on again: its
  /// parts have the ids that they had, and client nodes do each once.
  mutating func tellAll(_ request: RequestFrames, _ asker: Asker) {
    let world = request.address.world
    guard worlds[world] != nil else {
      return reply(asker, .failure(WireError(.unknownAddress, "there is no world '\(world)' here")))
    }
    let devices = directory.keys.filter { $0.world == world }.sorted()
    guard !devices.isEmpty else { return reply(asker, .success(WireJSON.encode(ToldDevices(devices: 0)))) }
    guard forwards.count + devices.count <= ServerNodeCore.mostForwards else {
      return reply(asker, .failure(WireError(.overloaded, "too many requests wait for devices: ask again later")))
    }
    rounds[request.id] = DeviceRound(asker: asker, open: devices.count)
    for device in devices {
      guard let peer = directory[device]?.peer else { continue }
      var part = request
      part.address = device
      part.id = request.id.part(for: device)
      forwards[part.id] = Forward(
        asker: asker, address: device, peer: peer,
        expires: moment.monotonic + Int64(request.deadlineMilliseconds),
        answersWithReport: ServerNodeCore.answeredWithReport.contains(request.name), round: request.id)
      emit(.send(peer: peer, frames: part.frames))
    }
  }

  /// A device will not answer any more: a round does not wait for it.
  mutating func giveUp(_ forward: Forward, _ error: WireError) {
    if let round = forward.round { answered(round, forward, failure: error) }
  }

  /// One device of a round has answered, or will not.
  mutating func answered(_ id: RequestID, _ forward: Forward, failure: WireError?) {
    guard var round = rounds[id] else { return }
    round.open -= 1
    if let failure {
      round.told.failure = round.told.failure ?? "\(forward.address.key): \(failure.message)"
    } else {
      round.told.devices += 1
    }
    rounds[id] = round.open > 0 ? round : nil
    if round.open == 0 { reply(round.asker, .success(WireJSON.encode(round.told))) }
  }
}

extension RequestID {
  /// The id of the part of a request that is for one device: always the same one (FNV-1a).
  fileprivate func part(for device: ActorAddress) -> RequestID {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes + Data(device.description.utf8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var generator = SplitMix64(seed: hash)
    return RequestID(generator.uuid())
  }
}

extension ReplyFrames.Outcome {
  var failure: WireError? { if case .failed(let error) = self { error } else { nil } }
}
