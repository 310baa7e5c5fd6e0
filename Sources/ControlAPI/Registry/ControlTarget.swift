import Wire

/// What a request is for, as a place below `/control/v1`.
package enum ControlTarget: String, CaseIterable, Sendable {
  case server, world, account, family, user, device, node, notifications

  var kind: ActorAddress.Kind { self == .server ? .node : ActorAddress.Kind(rawValue: rawValue) }

  /// The template of the path, without a slash at its end.
  var path: String {
    switch self {
    case .server: "/control/v1"
    case .world: "/control/v1/worlds/{world}"
    case .account: "/control/v1/worlds/{world}/accounts/{account}"
    case .family: "/control/v1/worlds/{world}/families/{family}"
    case .user: "/control/v1/worlds/{world}/users/{user}"
    case .device: "/control/v1/worlds/{world}/devices/{device}"
    case .node: "/control/v1/worlds/{world}/nodes/{node}"
    case .notifications: "/control/v1/worlds/{world}/notifications"
    }
  }

  /// The names in the path, and what they name.
  var parameters: [(name: String, description: String)] {
    switch self {
    case .server: []
    case .world, .notifications: [("world", "The world.")]
    case .account: [("world", "The world."), ("account", "The account's name.")]
    case .family: [("world", "The world."), ("family", "The family's name.")]
    case .user: [("world", "The world."), ("user", "The user's appAccountToken: a UUID in lower case.")]
    case .device: [("world", "The world."), ("device", "The device's name.")]
    case .node: [("world", "The world."), ("node", "The client node's name.")]
    }
  }

  /// - Parameter value: What a name in the path stands for.
  /// - Throws: `unknownAddress` for what can name nothing.
  func address(_ value: (String) -> String?) throws(WireError) -> ActorAddress {
    guard self != .server else { return ActorAddress(world: "any", kind: .node, key: "server") }
    let world = value("world") ?? ""
    let key = self == .world || self == .notifications ? world : value(rawValue) ?? ""
    for name in [world, key] where !ActorAddress.isName(name) {
      throw WireError(
        .unknownAddress,
        "'\(name.prefix(60))' names nothing: expected 1 to 128 letters, digits or . _ - + @")
    }
    return ActorAddress(world: world, kind: kind, key: key)
  }
}
