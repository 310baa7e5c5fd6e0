import Foundation
import SQLite
import ServerNode
import Shared
import Synchronization
import Testing
import Wire

/// The node as a process has it: real sockets, real SQLite.
@Suite struct StoreServerTests {
  private static let coins = Purchase(productId: "com.example.app.coins")

  private static func create() throws -> CreateWorld {
    CreateWorld(catalog: try StoreHarness.demoCatalog(), clock: .manual(startsAt: StoreHarness.start))
  }

  /// Runs a node on a folder, with a peer that has introduced itself, and ends both.
  @discardableResult
  private func withNode<Value: Sendable>(
    _ folder: String?, inproc: Bool = false, log: Log = Log(), _ body: (ServerPeer, StoreServer) async throws -> Value
  ) async throws -> Value {
    let context = try ZMQContext()
    var configuration = StoreServer.Configuration(dataFolder: folder)
    if inproc {
      configuration.requestsEndpoint = "inproc://requests"
      configuration.eventsEndpoint = "inproc://events"
    }
    let server = try StoreServer(configuration, context: context) { log.add($0) }
    let endpoints = try await server.run()
    let peer = try ServerPeer(context)
    let result: Result<Value, any Error>
    do {
      try await peer.open(endpoints.requests)
      result = .success(try await body(peer, server))
    } catch { result = .failure(error) }
    await peer.close()
    await peer.reactor.join()
    await server.stop()
    _ = await context.terminate(within: .seconds(10))
    return try result.get()
  }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  @Test(arguments: [false, true]) func purchaseWorksOverRealSockets(inproc: Bool) async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path, inproc: inproc) { peer, _ in
      try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
      try await peer.ask(OpenAccount(account: "alice"), of: "w/world/w")
      let reply = try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      #expect(reply.position.sequence == 2)
    }
  }

  @Test func restartKeepsEverything() async throws {
    let folder = JournalTestFolder()
    let id = RequestID(UUID())
    let (world, first) = try await withNode(folder.path) { peer, _ in
      let world = try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
      try await peer.ask(OpenAccount(account: "alice"), of: "w/world/w")
      return (world, try await peer.ask(StoreServerTests.coins, of: "w/account/alice", id: id))
    }
    try await withNode(folder.path) { peer, _ in
      let again = try await peer.ask(DescribeWorld(), of: "w/world/w")
      #expect(again == world, "the authority is the same one")
      let retried = try await peer.ask(StoreServerTests.coins, of: "w/account/alice", id: id)
      #expect(retried == first)
      let next = try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      #expect(next.position.sequence == 3)
    }
  }

  @Test func resetWorldStaysResetAfterARestart() async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path) { peer, _ in
      try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
      try await peer.ask(OpenAccount(account: "alice"), of: "w/world/w")
      try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      try await peer.ask(ResetWorld(), of: "w/world/w")
      let reply = try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      #expect(reply.position.epoch == 2 && reply.position.sequence == 2)
    }
    try await withNode(folder.path) { peer, _ in
      let reply = try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      #expect(reply.position.epoch == 2 && reply.position.sequence == 3)
    }
  }

  /// Stops while purchases rush in: what was answered is there afterwards, and nothing twice.
  @Test func stopUnderLoadLosesNothingThatWasAcknowledged() async throws {
    let folder = JournalTestFolder()
    let ids = (0..<400).map { _ in RequestID(UUID()) }
    let acknowledged = try await withNode(folder.path) { peer, server in
      try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
      for number in 0..<4 { try await peer.ask(OpenAccount(account: "a\(number)"), of: "w/world/w") }
      return try await withThrowingTaskGroup(of: (Int, Purchase.Reply)?.self) { group in
        for (index, id) in ids.enumerated() {
          group.addTask {
            let reply = try? await peer.ask(StoreServerTests.coins, of: "w/account/a\(index % 4)", id: id)
            return reply.map { (index, $0) }
          }
        }
        var replies: [Int: Purchase.Reply] = [:]
        for try await reply in group {
          guard let reply else { continue }
          replies[reply.0] = reply.1
          if replies.count == 50 {
            await server.stop()
            await peer.close()
          }
        }
        return replies
      }
    }
    #expect(acknowledged.count >= 50)
    try await withNode(folder.path) { peer, _ in
      for (index, reply) in acknowledged {
        let kept = try await peer.ask(StoreServerTests.coins, of: "w/account/a\(index % 4)", id: ids[index])
        #expect(kept == reply)
      }
      // Whoever heard nothing asks again, and everybody has got exactly one.
      for (index, id) in ids.enumerated() where acknowledged[index] == nil {
        try await peer.ask(StoreServerTests.coins, of: "w/account/a\(index % 4)", id: id)
      }
      for number in 0..<4 {
        let events = try await peer.ask(ReadJournal(), of: "w/account/a\(number)").events
        #expect(events.filter { $0.name == "purchased" }.count == 100)
      }
    }
  }

  // MARK: Bad places

  private func startFailure(_ folder: String, requests: String? = nil) async throws -> String {
    var configuration = StoreServer.Configuration(dataFolder: folder)
    if let requests { configuration.requestsEndpoint = requests }
    let server = try StoreServer(configuration) { _ in }
    do {
      _ = try await server.run()
      await server.stop()
      return ""
    } catch { return "\(error)" }
  }

  private func isOneSentence(_ text: String) -> Bool { !text.isEmpty && !text.contains("\n") && text.count < 400 }

  @Test func fileInPlaceOfTheFolderIsACleanStartFailure() async throws {
    let folder = JournalTestFolder()
    let file = folder.path + "/file"
    try Data("x".utf8).write(to: URL(filePath: file))
    let message = try await startFailure(file)
    #expect(isOneSentence(message) && message.contains(file), "\(message)")
  }

  @Test func whatIsNoJournalIsACleanStartFailure() async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path) { peer, _ in try await peer.ask(try StoreServerTests.create(), of: "w/world/w") }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let database = try #require(
      files.first { $0.hasSuffix(".sqlite") || $0.hasSuffix(".db") || $0.hasSuffix(".sqlite3") })
    try Data("not a database at all, though long enough to be looked at".utf8)
      .write(to: URL(filePath: folder.path + "/" + database))
    let message = try await startFailure(folder.path)
    #expect(isOneSentence(message), "\(message)")
  }

  @Test func journalOfAnUnknownVersionIsACleanStartFailure() async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path) { peer, _ in try await peer.ask(try StoreServerTests.create(), of: "w/world/w") }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let database = try SQLiteDatabase(path: folder.path + "/" + (try #require(files.first { $0.hasSuffix(".sqlite") })))
    try database.setUserVersion(99)
    database.close()
    let message = try await startFailure(folder.path)
    #expect(isOneSentence(message) && message.contains("99"), "\(message)")
  }

  @Test func secondNodeOnTheSameFolderIsACleanStartFailureAndTheFirstGoesOn() async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path) { peer, _ in
      let message = try await startFailure(folder.path)
      #expect(isOneSentence(message), "\(message)")
      try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
    }
  }

  @Test func startThatFailsLetsTheFolderGo() async throws {
    let folder = JournalTestFolder()
    let message = try await startFailure(folder.path, requests: "tcp://256.0.0.1:1")
    #expect(isOneSentence(message))
    try await withNode(folder.path) { peer, _ in try await peer.ask(try StoreServerTests.create(), of: "w/world/w") }
  }

  @Test(.enabled(if: MountedFolder.isAvailable, "only root may mount"))
  func readOnlyFolderIsACleanStartFailure() async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path) { peer, _ in try await peer.ask(try StoreServerTests.create(), of: "w/world/w") }
    let mounted = try MountedFolder.readOnly(folder.path)
    let message = try await startFailure(mounted.path)
    #expect(isOneSentence(message), "\(message)")
  }

  @Test(.enabled(if: MountedFolder.isAvailable, "only root may mount"))
  func fullDiskRefusesInOneSentenceAndTheNodeServesAgainWhenThereIsSpace() async throws {
    let disk = try MountedFolder.tmpfs(bytes: 4 << 20)
    let ballast = disk.path + "/ballast"
    let log = Log()
    try await withNode(disk.path + "/data", log: log) { peer, _ in
      try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
      try await peer.ask(OpenAccount(account: "alice"), of: "w/world/w")
      let before = try await peer.ask(StoreServerTests.coins, of: "w/account/alice").position.sequence
      // Fill what is left, then buy until the journal's own reserve is used up.
      let file = try #require(fopen(ballast, "w"))
      let block = [UInt8](repeating: 1, count: 4_096)
      while fwrite(block, 1, block.count, file) == block.count, fflush(file) == 0 {}
      fclose(file)
      var bought: UInt64 = 0
      var failure: WireError?
      let id = RequestID(UUID())
      while failure == nil, bought < 20_000 {
        do {
          try await peer.ask(StoreServerTests.coins, of: "w/account/alice", id: bought == 0 ? id : RequestID(UUID()))
          bought += 1
        } catch let error as WireError { failure = error }
      }
      let error = try #require(failure)
      #expect(error.isRetriable && isOneSentence(error.message), "\(error.message)")
      let history = try await peer.ask(CatchUp(epoch: 0, after: 0), of: "w/account/alice")
      #expect(history.position.sequence == before + bought, "reads go on, and nothing is half applied")
      try FileManager.default.removeItem(atPath: ballast)
      let reply = try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      #expect(reply.position.sequence == before + bought + 1)
    }
    #expect(log.all.allSatisfy { isOneSentence($0) })
  }

  @Test func authorityThatCannotBeReadIsAnError() async throws {
    let folder = JournalTestFolder()
    try await withNode(folder.path) { peer, _ in
      try await peer.ask(try StoreServerTests.create(), of: "w/world/w")
      try await peer.ask(OpenAccount(account: "alice"), of: "w/world/w")
    }
    try Data("garbage".utf8).write(to: URL(filePath: folder.path + "/authorities/w.pem"))
    try await withNode(folder.path) { peer, _ in
      let error = await #expect(throws: WireError.self) {
        try await peer.ask(StoreServerTests.coins, of: "w/account/alice")
      }
      #expect(error?.code == .unavailable)
      // However long the path of the machine's temporary folder is.
      let text = (error?.message ?? "").replacing(folder.path, with: "…")
      #expect(isOneSentence(text), "\(text)")
    }
  }
}
