import Foundation
import Shared

/// The first message on a connection, to `WORLD/node/server` (any world): who is there, and for which devices it
/// takes messages. Said again at every heartbeat, without the devices once the server node knows them all.
package struct Hello: Request {
  package static let name = "hello"
  package enum Role: String, Codable, Hashable, Sendable, CaseIterable {
    /// Takes part on behalf of devices.
    case client
    /// A person or a program: the command line, a scenario, a test.
    case control
  }
  /// The peer's own name, for logs and tables.
  package var node: String
  package var role: Role
  /// The fleet's token. A server that was started without one takes any.
  package var token: String
  /// The devices that live behind this connection.
  package var devices: [DeviceRegistration]

  package init(node: String, role: Role, token: String, devices: [DeviceRegistration] = []) {
    self.node = node
    self.role = role
    self.token = token
    self.devices = devices
  }

  package struct Reply: Codable, Hashable, Sendable {
    /// The server node's name.
    package var node: String
    /// Grows at each start of the server node.
    package var incarnation: UInt64
    package var heartbeatMilliseconds: Int
    /// Where to connect the SUB socket. The host of a node that listens on every interface is a wildcard, which stands for
    /// the host that the asker used for this request: see `eventsEndpoint(reachedThrough:)`.
    package var eventsEndpoint: String
    /// How many devices the server node reaches over this connection; fewer than there are means: list them again.
    package var devices: Int

    package init(
      node: String, incarnation: UInt64, heartbeatMilliseconds: Int, eventsEndpoint: String, devices: Int
    ) {
      self.node = node
      self.incarnation = incarnation
      self.heartbeatMilliseconds = heartbeatMilliseconds
      self.eventsEndpoint = eventsEndpoint
      self.devices = devices
    }
  }
}

/// A device and the account that it is signed in to.
package struct DeviceRegistration: Codable, Hashable, Sendable {
  package var world: String
  package var device: String
  package var account: String

  package init(world: String, device: String, account: String) {
    self.world = world
    self.device = device
    self.account = account
  }
}

/// An account's position: epoch first, then the count of its events.
package struct AccountPosition: Codable, Hashable, Sendable {
  package var account: ActorAddress
  package var epoch: UInt64
  package var sequence: UInt64

  package init(account: ActorAddress, epoch: UInt64, sequence: UInt64) {
    self.account = account
    self.epoch = epoch
    self.sequence = sequence
  }
}

/// After a restart or a missed heartbeat, to `WORLD/node/server`: which of these are not where the account is?
package struct CheckPositions: Request {
  package static let name = "checkPositions"
  package var positions: [AccountPosition]

  package init(positions: [AccountPosition]) { self.positions = positions }

  package struct Reply: Codable, Hashable, Sendable {
    /// Where the accounts are that the asker is wrong about.
    package var stale: [AccountPosition]
    package init(stale: [AccountPosition]) { self.stale = stale }
  }
}

/// From a client node, to `WORLD/node/server`: what its devices have applied and what their apps show.
package struct ReportDevices: Request {
  package static let name = "reportDevices"
  package typealias Reply = Done
  package var world: String
  package var reports: [DeviceReport]

  package init(world: String, reports: [DeviceReport]) {
    self.world = world
    self.reports = reports
  }
}

/// Published on `*;`: the server node lives, and these accounts changed lately. The loss of an account's last event
/// is noticed by it.
package struct Heartbeat: Codable, Hashable, Sendable {
  package static let topic = "*;"
  package static let name = "heartbeat"
  package var node: String
  package var incarnation: UInt64
  package var recent: [AccountPosition]
  /// Counts the heartbeats of this incarnation, so that a peer notices more missing ones than `recent` covers.
  package var number: UInt64?

  package init(node: String, incarnation: UInt64, recent: [AccountPosition], number: UInt64? = nil) {
    self.node = node
    self.incarnation = incarnation
    self.recent = recent
    self.number = number
  }
}
