import Wire

/// The topics that SUB sockets have asked for. A subscription is to everything that begins with its topic: mostly to one
/// actor, sometimes to a whole world.
struct Subscriptions {
  private var actors: Set<ActorAddress> = []
  private var prefixes: Set<String> = []
  /// Worlds that somebody within the node's own process follows.
  var followedWorlds: Set<String> = []

  mutating func add(_ topic: String) {
    if !topic.hasSuffix(";") {
      prefixes.insert(topic)
    } else if let actor = ActorAddress(topic.dropLast()) {
      actors.insert(actor)
    }
  }

  mutating func remove(_ topic: String) {
    if !topic.hasSuffix(";") {
      prefixes.remove(topic)
    } else if let actor = ActorAddress(topic.dropLast()) {
      actors.remove(actor)
    }
  }

  /// Whether anybody listens to an actor.
  func cover(_ actor: ActorAddress) -> Bool {
    if !actors.isEmpty, actors.contains(actor) { return true }
    if !followedWorlds.isEmpty, followedWorlds.contains(actor.world) { return true }
    guard !prefixes.isEmpty else { return false }
    // To compare with very many would cost more than to publish in vain.
    guard prefixes.count <= Subscriptions.mostPrefixes else { return true }
    let topic = actor.topic
    return prefixes.contains { topic.utf8.starts(with: $0.utf8) }
  }

  private static let mostPrefixes = 64
}
