import Fleet
import FleetTesting
import Foundation
import Shared
import Testing
import Wire

/// Disks that are full, and data folders that are none.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DiskTests {
  @Test(.enabled(if: Mount.isAllowed, "only root may mount"))
  func aFullDiskRefusesPurchasesLosesNothingAndServesAgainWithSpace() async throws {
    let workplace = try FleetWorkplace()
    let disk = Mount()
    defer { disk.undo() }
    try disk.tmpfs(bytes: 4 << 20, at: workplace.path("disk"))
    // Not mounted in the run folder itself: that is renamed before it is removed, and the mount would go along.
    try await withFleet(
      ["alice": []], workplace: workplace,
      prepare: {
        try FileManager.default.createSymbolicLink(
          atPath: $0.folder.dataPath + "/server", withDestinationPath: workplace.path("disk"))
      }
    ) { fleet in
      let process = await fleet.processes.serverProcessID
      let alice = fleet.account("alice")
      var acknowledged: [UInt64] = []
      for _ in 0..<3 { acknowledged.append(try #require(try await alice.buy(Product.coins))) }
      try disk.fill()

      // What is still free in the journal's own files may take some more.
      var refused = RequestID(UUID())
      var refusal: WireError?
      while refusal == nil {
        do {
          let reply = try await fleet.ask(
            Purchase(productId: Product.coins), of: alice, id: refused, timeout: .seconds(1))
          if case .purchased(let id) = reply.outcome { acknowledged.append(id.rawValue) }
          refused = RequestID(UUID())
        } catch let error as WireError {
          refusal = error
        }
      }
      #expect(refusal?.code == .unavailable)
      #expect(refusal?.isRetriable == true)
      #expect(refusal?.message.contains("space") == true, "\(refusal?.message ?? "")")
      #expect(try await fleet.purchases(of: "alice") == acknowledged, "reads go on")

      try disk.free()
      let reply = try await fleet.ask(Purchase(productId: Product.coins), of: alice, id: refused)
      guard case .purchased(let id) = reply.outcome else { throw Overdue(description: "\(reply)") }
      acknowledged.append(id.rawValue)
      #expect(try await fleet.ask(Purchase(productId: Product.coins), of: alice, id: refused) == reply)
      #expect(await fleet.processes.serverProcessID == process)
      await fleet.killServer()
      try await fleet.startServer()
      #expect(try await fleet.purchases(of: "alice") == acknowledged)
    }
  }

  @Test func aFileInPlaceOfTheDataFolderIsOneClearLine() async throws {
    let tool = Tool(workplace: try FleetWorkplace())
    let file = try tool.workplace.write("no folder", to: "store")
    try await expectRefusal(tool, data: file, "needs a folder there")
  }

  @Test(.enabled(if: Mount.isAllowed, "only root may mount"))
  func aReadOnlyDataFolderIsOneClearLine() async throws {
    let tool = Tool(workplace: try FleetWorkplace())
    let mount = Mount()
    defer { mount.undo() }
    try mount.readOnly(at: tool.workplace.path("store"))
    try await expectRefusal(tool, data: tool.workplace.path("store"), "writable")
  }

  @Test func aJournalOfALaterVersionIsOneClearLine() async throws {
    let tool = Tool(workplace: try FleetWorkplace())
    let data = tool.workplace.path("store")
    try await makeJournal(tool, data)
    // SQLite's user version: four bytes, the highest first, at 60.
    let file = try FileHandle(forUpdating: URL(filePath: data + "/journal.sqlite"))
    try file.seek(toOffset: 60)
    try file.write(contentsOf: Data([0, 0, 0, 99]))
    try file.close()
    try await expectRefusal(tool, data: data, "format 99")
  }

  /// A server makes its journal and ends in order.
  private func makeJournal(_ tool: Tool, _ data: String) async throws {
    let ready = try LineReader(fifo: tool.workplace.path("ready"))
    let server = try tool.start("server", "--data", data, "--ready-file", ready.path)
    _ = try await ready.first("the endpoints") { _ in true }
    server.process.send(SIGTERM)
    #expect(try await tool.end(of: server.process, "server").isSuccess)
  }

  private func expectRefusal(_ tool: Tool, data: String, _ words: String) async throws {
    let outcome = try await tool.run("server", "--data", data)
    #expect(outcome.status == .exited(code: 3))
    #expect(outcome.output == "")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.contains(data), "\(outcome.errors)")
  }
}
