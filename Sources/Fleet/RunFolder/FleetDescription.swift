/// What `fleet.json` says: all that another process needs to find a running fleet and to speak with it.
package struct FleetDescription: Codable, Hashable, Sendable {
  /// Where server nodes listen, for example `tcp://127.0.0.1:40001`.
  package struct Endpoints: Codable, Hashable, Sendable {
    package var requests: String
    package var events: String
    /// Where HTTP is spoken, for example `http://127.0.0.1:40003`; nil where it is not.
    package var http: String?

    package init(requests: String, events: String, http: String? = nil) {
      self.requests = requests
      self.events = events
      self.http = http
    }
  }

  /// One process of the fleet.
  package struct Node: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
      case server
      case client
      /// A user's own app.
      case app
    }

    package var name: String
    package var kind: Kind
    package var process: ProcessIdentity

    package init(name: String, kind: Kind, process: ProcessIdentity) {
      self.name = name
      self.kind = kind
      self.process = process
    }
  }

  package var name: String
  /// The fleet lives as long as this process.
  package var launcher: ProcessIdentity
  /// Nil until the first server node listens.
  package var endpoints: Endpoints?
  /// What a request must carry to be allowed to act on the fleet.
  package var token: String
  /// The world that commands mean; nil until it is known.
  package var world: String?
  package var nodes: [Node]

  package init(
    name: String, launcher: ProcessIdentity, endpoints: Endpoints? = nil, token: String, world: String? = nil,
    nodes: [Node] = []
  ) {
    self.name = name
    self.launcher = launcher
    self.endpoints = endpoints
    self.token = token
    self.world = world
    self.nodes = nodes
  }
}
