import Foundation
import Shared
import Wire

/// The simulated network between the phones and the store. The control link does not go through it.
extension ClientNodeCore {
  /// A piece of network that messages go over: the node's, or behind it a phone's own.
  enum NetworkPath: Hashable, Sendable {
    case node
    case device(String)
  }

  /// How many messages a simulated network carries at a time; those beyond are lost.
  static let mostParcels = 10_000

  // MARK: Requests and replies

  /// Sends frames over a link, with what the network does to them.
  mutating func transmit(_ frames: [Data], over link: ClientLink, for purpose: OutgoingRequest.Purpose?) {
    guard link == .store else {
      effects.append(.send(link, frames))
      return
    }
    guard let delay = passage(of: .request, for: purpose) else { return }
    schedule(.request(frames, purpose), in: delay)
  }

  mutating func arrive(_ reply: ReplyFrames, over link: ClientLink) {
    guard link == .store else {
      receive(reply)
      return
    }
    let purpose = reply.id.flatMap { requests[$0]?.purpose }
    guard let delay = passage(of: .reply, for: purpose) else { return }
    schedule(.reply(reply, purpose), in: delay)
  }

  /// - Returns: how long it takes in milliseconds; nil when it is lost.
  private mutating func passage(of kind: FaultyNetwork.Kind, for purpose: OutgoingRequest.Purpose?) -> Int64? {
    var delay: Int64 = 0
    if let device = phone(carrying: purpose), devices[device]?.network.faults != nil {
      guard let own = devices[device]?.network.passage(of: kind, at: now).delays.first else { return nil }
      delay = own
    }
    guard network.faults != nil else { return delay }
    return network.passage(of: kind, at: now).delays.first.map { $0 + delay }
  }

  /// Whose connection a request uses. What phones of an account share goes over a good one, if there is one.
  private func phone(carrying purpose: OutgoingRequest.Purpose?) -> String? {
    switch purpose {
    case .catchUp(let account, _), .copies(let account, _):
      let online = accounts[account]?.devices.filter { devices[$0]?.isOnline == true } ?? []
      return online.allSatisfy { devices[$0]?.network.faults != nil } ? online.first : nil
    default: return purpose?.device
    }
  }

  // MARK: Events

  /// Brings an event over a path, or loses, doubles or delays it.
  mutating func carry(_ parcel: Parcel, over path: NetworkPath) {
    let passage: FaultyNetwork.Passage =
      switch path {
      case .node: network.passage(of: .event, at: now)
      case .device(let name): devices[name]?.network.passage(of: .event, at: now) ?? .lost
      }
    if passage.isOvertaken, overtaken[path] == nil {
      overtaken[path] = parcel
      expect(parcel, 1)
      timers.set(.overtaken(path), at: now.advanced(byMilliseconds: FaultyNetwork.overtakenMilliseconds))
      return
    }
    for delay in passage.delays { schedule(parcel, in: delay) }
    if let last = passage.delays.last { releaseOvertaken(path, in: last) }
  }

  /// The event that was to be overtaken has been, or waits no longer.
  mutating func releaseOvertaken(_ path: NetworkPath, in delay: Int64 = 0) {
    guard let parcel = overtaken.removeValue(forKey: path) else { return }
    timers.clear(.overtaken(path))
    expect(parcel, -1)
    schedule(parcel, in: delay)
  }

  // MARK: On the way

  private mutating func schedule(_ parcel: Parcel, in delay: Int64) {
    guard delay > 0 else {
      deliver(parcel)
      return
    }
    guard parcels.count < ClientNodeCore.mostParcels else { return }
    lastParcel += 1
    parcels[lastParcel] = parcel
    expect(parcel, 1)
    timers.set(.parcel(lastParcel), at: now.advanced(byMilliseconds: delay))
  }

  mutating func parcelDue(_ number: UInt64) {
    guard let parcel = parcels.removeValue(forKey: number) else { return }
    expect(parcel, -1)
    deliver(parcel)
  }

  private mutating func expect(_ parcel: Parcel, _ change: Int) {
    if parcel.isUpdate, let device = parcel.device { devices[device]?.updatesInTransit += change }
  }

  private mutating func deliver(_ parcel: Parcel) {
    switch parcel {
    case .request(let frames, _): effects.append(.send(.store, frames))
    case .reply(let reply, _): receive(reply)
    case .event(let frames): takeEvent(frames)
    case .update(let update, let epoch, let name):
      _ = devices[name]?.receive(update, epoch: epoch, live: true)
      touch(name)
      if let account = devices[name]?.account { catchUpIfNeeded(account, within: 0...100) }
    }
  }

  /// What was on its way from and to a phone is lost with its connection.
  mutating func loseParcels(of name: String) {
    for (number, parcel) in parcels where parcel.device == name {
      parcels[number] = nil
      timers.clear(.parcel(number))
    }
    overtaken[.device(name)] = nil
    timers.clear(.overtaken(.device(name)))
    devices[name]?.updatesInTransit = 0
  }

  // MARK: Setting

  mutating func setNetwork(_ faults: NetworkFaults?) throws(WireError) {
    try faults?.check()
    network.set(faults)
  }

  mutating func setNetwork(_ faults: NetworkFaults?, of name: String) throws(WireError) {
    try faults?.check()
    devices[name]?.network.set(faults)
    touch(name)
    timers.clear(.deafness(name))
    if faults?.blocked == .events { armDeafness(name) }
    if let account = devices[name]?.account { catchUpIfNeeded(account, within: 0...100) }
  }

  /// A phone that hears neither events nor heartbeats asks from time to time, as a node does that hears none.
  private mutating func armDeafness(_ name: String) {
    let silence = link.heartbeatMilliseconds * ServerLink.missedHeartbeats + link.heartbeatMilliseconds / 2
    timers.set(.deafness(name), at: now.advanced(byMilliseconds: silence))
  }

  mutating func deafnessDue(_ name: String) {
    guard let device = devices[name], !device.hearsEvents else { return }
    devices[name]?.forgetCheck()
    touch(name)
    catchUpIfNeeded(device.account, within: 0...100)
    armDeafness(name)
  }
}
