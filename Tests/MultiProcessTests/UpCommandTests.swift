import Fleet
import FleetTesting
import Foundation
import Glibc
import Launch
import Testing

/// `storefleet up`, and the verbs that act on what it started.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct UpCommandTests {
  private let tool: Tool

  init() throws { tool = Tool(workplace: try FleetWorkplace()) }

  private func up(
    _ name: String, clients: Int = 2, lifeline: Lifeline? = nil
  ) async throws -> (up: RunningTool, fleet: FleetDescription) {
    let up = try tool.start("up", "--name", name, "--devices", "4", "--clients", "\(clients)", lifeline: lifeline)
    _ = try await up.lines.first("that the fleet is up") { $0.hasPrefix("Fleet '\(name)' is up") }
    return (up, try RunFolder(path: tool.workplace.home.path + "/fleets/\(name)").readDescription())
  }

  @Test func aKilledLauncherTakesEveryProcessAlong() async throws {
    let (up, fleet) = try await up("orphans", clients: 3)
    #expect(fleet.nodes.count == 4)
    let nodes = try fleet.nodes.map { try ProcessWatch($0) }
    #expect(kill(up.process.processID, SIGKILL) == 0)
    for node in nodes { try await node.end() }
    // The next command finds no fleet, and tidies up.
    #expect(try await tool.run("devices").status == .exited(code: 3))
    #expect(!FileManager.default.fileExists(atPath: tool.workplace.home.path + "/fleets/orphans"))
  }

  @Test func aScriptIsToldWhenEveryAppRuns() async throws {
    let ready = try LineReader(fifo: tool.workplace.path("ready"))
    let up = try tool.start("up", "--name", "scripted", "-n", "3", "--ready-file", ready.path)
    let line = try await ready.first("that the fleet is up") { !$0.isEmpty }
    #expect(line == #"{"devices":"3","fleet":"scripted","world":"main"}"#)
    let devices = try await tool.run("devices")
    #expect(devices.output.components(separatedBy: " online ").count == 4, "\(devices.output)")
    up.process.send(SIGINT)
    #expect(try await tool.end(of: up.process, "up").isSuccess)
  }

  @Test func aFleetEndsWithTheProgramThatStartedItsLauncher() async throws {
    let lifeline = try Lifeline()
    let (up, fleet) = try await up("tied", clients: 1, lifeline: lifeline)
    let nodes = try fleet.nodes.map { try ProcessWatch($0) }
    lifeline.cut()
    _ = try await tool.end(of: up.process, "up")
    for node in nodes { try await node.end() }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func controlCEndsEverythingInOrder(_ signal: Int32) async throws {
    let (up, fleet) = try await up("polite")
    let nodes = try fleet.nodes.map { try ProcessWatch($0) }
    up.process.send(signal)
    // Ctrl-C is how a fleet is meant to be ended: that is no failure.
    #expect(try await tool.end(of: up.process, "up") == .exited(code: 0))
    for node in nodes { try await node.end() }
    #expect(!FileManager.default.fileExists(atPath: tool.workplace.home.path + "/fleets/polite"))
  }

  @Test func aNodeThatDiesEndsTheFleetAndIsNamed() async throws {
    let (up, fleet) = try await up("unlucky")
    let nodes = try fleet.nodes.map { try ProcessWatch($0) }
    let client = try #require(fleet.nodes.first { $0.name == "client-2" })
    #expect(kill(client.process.processID, SIGKILL) == 0)
    #expect(try await tool.end(of: up.process, "up") == .exited(code: 3))
    #expect(up.errors.contains("client-2 ended unexpectedly (ended by signal 9"), "\(up.errors)")
    #expect(up.errors.contains("somebody else ended it, and before that its log says"), "\(up.errors)")
    #expect(up.errors.contains("ready: 2 devices"), "the last line of its log: \(up.errors)")
    for node in nodes { try await node.end() }
    // Its log is named, so it is there, also after other commands.
    #expect(try await tool.run("devices").status == .exited(code: 3))
    let log = RunFolder(path: tool.workplace.home.path + "/fleets/unlucky").logPath(of: "client-2")
    #expect(up.errors.contains(log))
    #expect(FileManager.default.fileExists(atPath: log))
  }

  private struct Entry: Decodable {
    struct Report: Decodable {
      struct Screen: Decodable { var entitled: [String] }
      var screen: Screen?
    }
    var device: String
    var report: Report?
  }

  private struct Event: Decodable {
    struct Body: Decodable {
      struct Record: Decodable { var productId: String }
      var records: [Record]?
    }
    var topic: String
    var name: String
    var sequence: UInt64
    var body: Body
  }

  @Test func fleetsLiveSideBySideAndVerbsActOnTheOneThatIsNamed() async throws {
    let (red, redFleet) = try await up("red", clients: 1)
    let (blue, blueFleet) = try await up("blue", clients: 1)
    #expect(redFleet.endpoints?.requests != blueFleet.endpoints?.requests)
    #expect(redFleet.token != blueFleet.token)
    #expect(try await tool.run("devices").status == .exited(code: 3), "which one is meant?")

    let watch = try tool.start("watch", "--json", "--fleet", "red")
    let product = "com.example.app.lifetime"
    let coins = "com.example.app.coins"
    let other = try await tool.run("buy", product, "--on", "device-3", "--fleet", "blue")
    #expect(other.output == "device-3: completed\n", "\(other.errors)")
    // Whatever happens after its first line, it tells.
    let beginning = try await watch.lines.first("the beginning") { _ in true }
    #expect(beginning.contains(#""name":"watching""#) && beginning.contains(#""now":"#))
    let bought = try await tool.run("buy", coins, "--on", "device-1", "--fleet", "red")
    #expect(bought.status.isSuccess, "\(bought.errors)")
    let line = try await watch.lines.first("a purchase") { $0.contains(#""purchased""#) }
    let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
    #expect(event.topic == "main/account/account-1")
    #expect(event.name == "purchased")
    #expect(event.body.records?.map(\.productId) == [coins])

    #expect(try await entitled("blue") == ["device-3": [product], "device-4": [product]])
    #expect(try await entitled("red") == [:])
    let wrong = try await tool.run("buy", "com.example.app.nothing", "--on", "device-1", "--fleet", "red")
    #expect(wrong.status == .exited(code: 1))
    for up in [red, blue] {
      up.process.send(SIGINT)
      #expect(try await tool.end(of: up.process, "up").isSuccess)
    }
    // A watch has nothing more to tell once its fleet is gone; it is ended as it would be by hand.
    watch.process.send(SIGINT)
    _ = try await tool.end(of: watch.process, "watch")
  }

  private func entitled(_ fleet: String) async throws -> [String: [String]] {
    let outcome = try await tool.run("devices", "--json", "--fleet", fleet)
    let entries = try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
    #expect(entries.count == 4)
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.device, $0.report?.screen?.entitled ?? []) })
      .filter { !$0.value.isEmpty }
  }
}
