import Foundation
import Shared
import Testing
import Wire

@testable import ServerNode

/// Requests from within the node's process, from any thread.
@Suite struct LocalAskerTests {
  private static let world = ActorAddress(world: "w", kind: .world, key: "w")
  private static let alice = ActorAddress(world: "w", kind: .account, key: "alice")

  private func withNode(_ body: (StoreServer) async throws -> Void) async throws {
    let server = try StoreServer(StoreServer.Configuration(dataFolder: nil, heartbeat: .milliseconds(20))) { _ in }
    _ = try await server.run()
    do { try await body(server) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func open(_ server: StoreServer) async throws {
    let create = CreateWorld(catalog: try StoreHarness.demoCatalog(), clock: .manual(startsAt: StoreHarness.start))
    _ = try await server.local.ask(create, of: Self.world)
    _ = try await server.local.ask(OpenAccount(account: "alice"), of: Self.world)
  }

  @Test func aPurchaseNeedsNoSocketAndNoHello() async throws {
    try await withNode { server in
      try await open(server)
      let bought = try await server.local.ask(Purchase(productId: "com.example.app.coins"), of: Self.alice)
      #expect(bought.body.position.sequence == 2)
      // What only control may do.
      let refunded = try await server.local.ask(
        Refund(productId: "com.example.app.coins", reason: 0), of: Self.alice)
      #expect(refunded.body.sequence == 3)
    }
  }

  @Test func whatTheStoreRefusesIsThrown() async throws {
    try await withNode { server in
      try await open(server)
      let error = await #expect(throws: WireError.self) {
        try await server.local.ask(
          Purchase(productId: "nothing"), of: Self.alice)
      }
      #expect(error?.refusal == .productUnavailable)
    }
  }

  @Test func aRetryGetsTheSameReply() async throws {
    try await withNode { server in
      try await open(server)
      let id = RequestID(UUID())
      let purchase = Purchase(productId: "com.example.app.coins")
      let first = try await server.local.ask(purchase, of: Self.alice, id: id)
      let again = try await server.local.ask(purchase, of: Self.alice, id: id)
      #expect(first.body == again.body)
    }
  }

  @Test func manyThreadsAskAtOnce() async throws {
    try await withNode { server in
      try await open(server)
      let sequences = try await withThrowingTaskGroup(of: UInt64.self) { group in
        for _ in 0..<200 {
          group.addTask {
            try await server.local.ask(Purchase(productId: "com.example.app.coins"), of: Self.alice)
              .body.position.sequence
          }
        }
        return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
      }
      #expect(sequences.count == 200)
    }
  }

  /// The error of a wait that was not answered.
  private func refusal(_ result: LocalRequests.Result) throws -> WireError {
    guard case .failure(let error) = result else { throw WireError(.internalError, "it was answered") }
    return error
  }

  @Test func whoeverWaitsInVainIsToldWhenItsTimeIsOver() async throws {
    let requests = LocalRequests(most: 1)
    let now = ContinuousClock.now
    let result = await requests.wait(for: RequestID(UUID()), until: now + .seconds(1)) {
      #expect(requests.expire(at: now), "it still waits")
      #expect(!requests.expire(at: now + .seconds(1)))
    }
    #expect(try refusal(result).code == .deadlineExceeded)
  }

  @Test func noMoreWaitThanAreAllowed() async throws {
    let requests = LocalRequests(most: 0)
    let result = await requests.wait(for: RequestID(UUID()), until: .now) { Issue.record("nothing is to be sent") }
    #expect(try refusal(result).code == .overloaded)
  }

  @Test func aCancelledTaskDoesNotWait() async throws {
    let requests = LocalRequests(most: 1)
    let task = Task {
      await requests.wait(for: RequestID(UUID()), until: .now + .seconds(3_600)) {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(try refusal(await task.value).code == .deadlineExceeded)
  }

  @Test func afterTheEndNobodyWaits() async throws {
    let server = try StoreServer(StoreServer.Configuration(dataFolder: nil)) { _ in }
    _ = try await server.run()
    await server.stop()
    let error = await #expect(throws: WireError.self) {
      try await server.local.ask(DescribeWorld(), of: Self.world)
    }
    #expect(error?.code == .unavailable)
  }
}
