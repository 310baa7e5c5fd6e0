package import Foundation
package import ServerNode
package import Shared
package import Wire

/// What the API asks of the node that it speaks for.
package protocol StoreNode: Sendable {
  /// - Throws: `unknownAddress` when there is no such world.
  func describe(_ world: String) async throws(WireError) -> WorldDescription
  /// With which tokens for this world are signed.
  func apiKey(of world: String) async throws(ServerNodeError) -> APIKey
  /// What the world's clock shows; nil while it is not open.
  func now(in world: String) async -> StoreTime?
  /// Signs for a world that is open.
  func sign(_ payload: Data, for world: String) throws(ServerNodeError) -> Data

  /// A transaction that is at hand.
  func atHand(_ id: TransactionID, in world: String) -> KnownTransaction?
  /// A transaction of an account, as it is on disk; at hand from now on. Nil when the account has none such.
  func transaction(_ id: TransactionID, of account: ActorAddress) async throws(WireError) -> KnownTransaction?
  func records(of account: ActorAddress, matching query: RecordQuery) async throws(WireError) -> RecordPage

  func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID
  ) async throws(WireError) -> Message.Reply
}

extension StoreNode {
  func ask<Message: Request>(_ message: Message, of address: ActorAddress) async throws(WireError) -> Message.Reply {
    try await ask(message, of: address, id: RequestID(UUID()))
  }
}

extension StoreServer: StoreNode {
  package nonisolated func describe(_ world: String) async throws(WireError) -> WorldDescription {
    try await ask(DescribeWorld(), of: ActorAddress(world: world, kind: .world, key: world))
  }

  package nonisolated func now(in world: String) async -> StoreTime? { await self.clock(of: world) }

  package nonisolated func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID
  ) async throws(WireError) -> Message.Reply {
    try await local.ask(message, of: address, id: id).body
  }
}
