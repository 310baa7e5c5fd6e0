import Foundation
package import Shared
import Wire

/// Opening worlds: nobody in a world is served before its settings, its clock and its authority are there.
extension ServerNodeCore {
  /// Does what is missing before a world's actors can take messages: its own actor, its certificate authority.
  mutating func activateWorld(_ world: String) {
    let runtime = worlds[world, default: WorldRuntime(world)]
    guard !runtime.isLoading, !runtime.isOpening else { return }
    guard let state = runtime.state else {
      worlds[world, default: WorldRuntime(world)].isLoading = true
      return wake(ActorAddress(world: world, kind: .world, key: world))
    }
    guard let settings = state.settings, runtime.rootCertificate == nil else { return }
    worlds[world]?.isOpening = true
    emit(.openAuthority(world: world, environment: settings.environment))
  }

  /// The world's own actor is loaded, or has changed: keep what every actor of the world needs.
  mutating func worldChanged(_ address: ActorAddress) {
    guard let actor = cells[address]?.actor as? WorldActor else { return }
    worlds[address.world, default: WorldRuntime(address.world)].state = actor.state.withoutAccounts
    worlds[address.world]?.isLoading = false
    if actor.state.settings == nil { openWorld(address.world) } else { activateWorld(address.world) }
  }

  mutating func authorityOpened(_ world: String, _ result: Result<WorldKeys, ServerNodeError>) {
    worlds[world]?.isOpening = false
    switch result {
    case .success(let keys):
      let root = keys.rootCertificate
      let offersKey = offersKey(of: world, own: keys.offersKey)
      worlds[world]?.offersKey = offersKey
      worlds[world]?.apiKey = keys.apiKey
      worlds[world]?.rootCertificate = Array(root)
      let environment = worlds[world]?.state?.settings?.environment ?? ""
      worlds[world]?.verifier = JWSVerifier(trust: TrustStore(anchor: root, environment: environment))
      worlds[world]?.authorityFailure = nil
      openWorld(world)
    case .failure(let error):
      let message = "world '\(world)' cannot be opened: \(error.message)"
      if worlds[world]?.authorityFailure != message { emit(.log(message)) }
      worlds[world]?.authorityFailure = message
      // The next message, or the next heartbeat, tries again.
      refuseWaiting(world, WireError(.unavailable, message))
    }
  }

  /// The catalogue's key where it has one: the app's server signs with it.
  private mutating func offersKey(of world: String, own: OffersKey) -> OffersKey {
    guard let pair = worlds[world]?.state?.catalog?.subscriptionOffersKeyPair else { return own }
    do { return try OffersKey(id: pair.id, privateKey: pair.privateKey) } catch {
      emit(.log("the catalogue's offers key of world '\(world)' cannot be used, the world's own is: \(error)"))
      return own
    }
  }

  /// Lets in what waited for the world.
  mutating func openWorld(_ world: String) {
    guard let early = worlds[world]?.early else { return }
    // What was put off because the world was not open need not wait any longer.
    let waiting = retries.filter { $0.address.world == world }.map { ($0.address, $0.envelope) } + early
    retries.removeAll { $0.address.world == world }
    worlds[world]?.early = []
    if worlds[world]?.state?.settings == nil { worlds[world]?.isJumping = false }
    for (address, envelope) in waiting { deliver(envelope, to: address) }
    wakeNotifications(world)
    pump(world)
  }

  /// The world cannot be served at the moment: nobody waits for it in vain.
  mutating func refuseWaiting(_ world: String, _ error: WireError) {
    guard let runtime = worlds[world] else { return }
    worlds[world]?.early = []
    worlds[world]?.held = []
    worlds[world]?.jumpWaiters = []
    worlds[world]?.settleWaiters = []
    for (address, envelope) in runtime.early + runtime.held { putOff(envelope, address, error) }
    for waiter in runtime.jumpWaiters { reply(waiter.asker, .failure(error)) }
    for asker in runtime.settleWaiters { reply(asker, .failure(error)) }
  }

  /// Over the control links, which keep their order: whatever is asked of a device after `setHabits` was answered comes
  /// behind this. Nobody waits for the answers.
  mutating func tellClientNodes(of world: String, habits body: Data) {
    let concerned = clientNodes.filter { _, peer in
      peers[peer]?.devices.contains { $0.world == world } == true
    }
    for (node, peer) in concerned.sorted(by: { $0.key < $1.key }) {
      let address = ActorAddress(world: world, kind: .node, key: node)
      let frames = RequestFrames(id: RequestID(entropy.uuid()), address: address, name: HabitsChanged.name, body: body)
      emit(.send(peer: peer, frames: frames.frames))
    }
  }

  /// What the world's clock shows; nil while it is not open.
  package func now(in world: String, at moment: Moment) -> StoreTime? {
    isOpen(world) ? worlds[world]?.state?.now(machine: moment.wall) : nil
  }

  func isOpen(_ world: String) -> Bool {
    guard let runtime = worlds[world], let state = runtime.state, !runtime.isLoading else { return false }
    return state.settings == nil || runtime.rootCertificate != nil
  }
}
