import Fleet
import FleetTesting
import Foundation
import Glibc
import Testing
import Wire

/// A user's own app as a device: an executable with a `DeviceApp`.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OwnAppTests {
  private static let lifetime = "com.example.app.lifetime"
  private static let monthly = "com.example.app.monthly"

  private func run(
    _ devices: [String], devicesPerProcess: Int = 1, environment: [String: String] = [:],
    app: String = StorefleetExecutable.folder + "/sample-app", patience: Duration = .seconds(60),
    _ body: (FleetTesting.Fleet) async throws -> Void
  ) async throws {
    var setup = FleetSetup(
      accounts: ["alice": devices], clock: .manual(startsAt: Date(timeIntervalSince1970: 1_767_225_600)),
      app: .executable(app, devicesPerProcess: devicesPerProcess, environment: environment), patience: patience)
    setup.executable = Tool.executable
    try await FleetTesting.Fleet.run(setup, body)
  }

  @Test func eachLaunchIsAFreshProcessWithTheHomeAndTheStoreOfTheOneBefore() async throws {
    try await run(["pad", "phone"]) { fleet in
      let phone = fleet.device("phone")
      try await phone.expect("counts its first launch") {
        $0.message?.hasPrefix("launches 1, in the suite 1, main thread true") == true
      }
      #expect(try await phone.buy(Self.lifetime) == .completed)
      try await fleet.device("pad").expect("may use it too") { $0.unlocked == [Self.lifetime] }
      for domain in ["sample-app", "group.sample"] {
        try await fleet.untilSaved(domain, of: "phone") { $0["launches"] as? Int == 1 }
      }

      let before = await fleet.processes.appProcessIDs
      try await phone.kill()
      let after = await fleet.processes.appProcessIDs
      #expect(before["phone"] != after["phone"])
      #expect(before["pad"] == after["pad"])
      #expect(try await phone.look().isRunning == false)
      try await phone.goOffline()
      try await phone.launch()
      try await phone.expect("remembers both") {
        $0.message?.hasPrefix("launches 2, in the suite 2,") == true && $0.unlocked == [Self.lifetime] && $0.launch == 2
      }
      try await fleet.device("pad").expect("has a home of its own") { $0.message?.hasPrefix("launches 1") == true }
    }
  }

  @Test func aProcessThatIsKilledFromOutsideIsThereAgainWithItsAppOff() async throws {
    try await run(["phone"]) { fleet in
      let process = try #require(await fleet.processes.appProcessIDs["phone"])
      #expect(kill(process, SIGKILL) == 0)
      try await fleet.device("phone").expect("is off") { !$0.isRunning }
      try await fleet.device("phone").launch()
      try await fleet.device("phone").expect("runs again") { $0.launch == 2 && $0.access == .locked }
    }
  }

  @Test(.enabled(if: Faketime.library != nil, "needs libfaketime"))
  func dateFollowsTheWorldsClockAndTheSkew() async throws {
    try await run(["pad", "phone"]) { fleet in
      let (pad, phone) = (fleet.device("pad"), fleet.device("phone"))
      #expect(try await phone.buy(Self.monthly) == .completed)
      try await pad.expect("may use it") { $0.unlocked == [Self.monthly] && $0.message?.hasSuffix("year 2026") == true }
      try await fleet.account("alice").setAutoRenew(Self.monthly, on: false)
      // No event reaches it, but time does.
      try await pad.goOffline()
      try await fleet.clock.advance(days: 365)
      for device in [pad, phone] {
        try await device.expect("sees that it is over") {
          $0.access == .locked && $0.message?.hasSuffix("year 2027") == true
        }
      }
      try await phone.skewClock(by: .seconds(-365 * 86_400))
      try await phone.expect("is a year behind") { $0.message?.hasSuffix("year 2026") == true }
      try await phone.kill()
      try await phone.launch()
      try await phone.expect("is so still") { $0.message?.hasSuffix("year 2026") == true }
      try await pad.expect("is right") { $0.message?.hasSuffix("year 2027") == true }
    }
  }

  @Test func anAppThatCrashesAtLaunchIsNamedWithTheReason() async throws {
    let error = await #expect(throws: FleetTestingError.self) {
      try await run(["phone"], environment: ["SAMPLE_CRASHES_AT_LAUNCH": "mondays"]) { _ in }
    }
    let message = error?.message ?? ""
    #expect(message.contains("the app on phone did not launch"), "\(message)")
    #expect(message.contains("Fatal error: the sample app does not like mondays"), "\(message)")
    #expect(message.contains("ended by signal"), "\(message)")
  }

  @Test func anAppThatCrashesLaterIsOffAndCanBeLaunchedAgain() async throws {
    try await run(["phone"]) { fleet in
      let phone = fleet.device("phone")
      try await phone.startBuying("crash")
      try await phone.expect("is off") { !$0.isRunning }
      let error = await #expect(throws: UnmetExpectation.self) {
        try await phone.expect("runs", within: .zero) { $0.isRunning }
      }
      #expect(error?.crashes.first?.contains("Fatal error: the sample app was asked to crash") == true)
      let refusal = await #expect(throws: FleetTestingError.self) { try await phone.buy(Self.lifetime) }
      #expect(refusal?.message.contains("Fatal error: the sample app was asked to crash") == true)
      try await phone.launch()
      #expect(try await phone.buy(Self.lifetime) == .completed)
    }
  }

  @Test func anExecutableThatIsNoAppIsSaid() async throws {
    let ended = await #expect(throws: FleetTestingError.self) { try await run(["phone"], app: "/bin/true") { _ in } }
    #expect(ended?.message.contains("the app on phone ('/bin/true') ended before it was ready") == true)
    #expect(ended?.message.hasSuffix("is its @main a DeviceApp?") == true, "\(ended?.message ?? "")")
    let folder = await #expect(throws: FleetTestingError.self) { try await run(["phone"], app: "/tmp") { _ in } }
    #expect(folder?.message.contains("the app '/tmp' is a folder: name the executable in it") == true)
    let missing = await #expect(throws: FleetTestingError.self) { try await run(["phone"], app: "/nowhere/A") { _ in } }
    #expect(missing?.message.contains("there is no app '/nowhere/A'") == true)
    let workplace = try FleetWorkplace()
    let script = try workplace.write("#!/bin/sh\nexec sleep 600\n", to: "sleeper")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
    let silent = await #expect(throws: FleetTestingError.self) {
      try await run(["phone"], app: script, patience: .seconds(5)) { _ in }
    }
    #expect(
      silent?.message.contains("is not ready after 5s: is its @main a DeviceApp?") == true, "\(silent?.message ?? "")")
  }

  @Test func packedDevicesShareTheirProcessAndHaveNoClockOfTheirOwn() async throws {
    try await run(["one", "three", "two"], devicesPerProcess: 2) { fleet in
      #expect(await fleet.processes.appProcessIDs.count == 2)
      let looks = [try await fleet.device("one").look(), try await fleet.device("three").look()]
      #expect(looks.compactMap { $0.message?.prefix(10) }.sorted() == ["launches 1", "launches 2"])
      let refusal = await #expect(throws: FleetTestingError.self) {
        try await fleet.device("one").skewClock(by: .seconds(3_600))
      }
      #expect(refusal?.message.hasPrefix("one cannot have a clock of its own") == true)
      try await fleet.device("one").kill()
      try await fleet.device("three").expect("goes on") { $0.isRunning }
    }
  }

  // MARK: The command line

  @Test func upStartsAProcessADeviceAndGoesOnWhenAnAppCrashes() async throws {
    let tool = Tool(workplace: try FleetWorkplace())
    let app = StorefleetExecutable.folder + "/sample-app"
    let up = try tool.start("up", "--name", "own", "--app", app, "--devices", "2", "--clock", "manual")
    _ = try await up.lines.first("that the fleet is up") { $0.hasSuffix("in 2 sample-app processes.") }
    let fleet = try RunFolder(path: tool.workplace.home.path + "/fleets/own").readDescription()
    #expect(fleet.nodes.filter { $0.kind == .app }.map(\.name).sorted() == ["device-1", "device-2"])
    #expect(try await tool.run("device", "kill", "device-1").output == "device-1: killed\n")
    #expect(try await tool.run("device", "launch", "device-1").output == "device-1: launched\n")
    _ = try await tool.run("buy", "crash", "--on", "device-2")
    #expect(try await tool.run("device", "launch", "device-2").output == "device-2: launched\n")
    #expect(up.errors.contains("asked to crash"), "\(up.errors)")
    let nodes = try RunFolder(path: tool.workplace.home.path + "/fleets/own").readDescription().nodes
    let watches = try nodes.map { try ProcessWatch($0) }
    up.process.send(SIGKILL)
    for watch in watches { try await watch.end() }
  }

  @Test func aClientNodeOfYourOwnAppJoinsAFleetThatRuns() async throws {
    let tool = Tool(workplace: try FleetWorkplace())
    let up = try tool.start("up", "--name", "host", "--devices", "1")
    _ = try await up.lines.first("that the fleet is up") { $0.hasPrefix("Fleet 'host' is up") }
    let fleet = try RunFolder(path: tool.workplace.home.path + "/fleets/host").readDescription()
    let ready = try LineReader(fifo: tool.workplace.path("ready"))
    let client = try tool.start(
      "client", "--connect", try #require(fleet.endpoints?.requests), "--token", fleet.token, "--name", "box",
      "--device", "phone=account-1", "--app", StorefleetExecutable.folder + "/sample-app", "--launch", "--ready-file",
      ready.path)
    _ = try await ready.first("that it is ready") { $0.contains("box") }
    #expect(try await tool.run("device", "kill", "phone").output == "phone: killed\n")
    #expect(try await tool.run("device", "launch", "phone").output == "phone: launched\n")
    #expect(try await tool.run("buy", Self.lifetime, "--on", "phone").output == "phone: completed\n")
    client.process.send(SIGTERM)
    #expect(try await tool.end(of: client.process, "client").isSuccess)
  }

  /// The launch of one app fails, and the node is there all the same, with the other.
  @Test func aClientNodeSaysWhichAppDidNotLaunch() async throws {
    let tool = Tool(workplace: try FleetWorkplace())
    let up = try tool.start("up", "--name", "host", "--devices", "1")
    _ = try await up.lines.first("that the fleet is up") { $0.hasPrefix("Fleet 'host' is up") }
    let fleet = try RunFolder(path: tool.workplace.home.path + "/fleets/host").readDescription()
    let script = try tool.workplace.write(
      """
      #!/bin/sh
      case $STOREFLEET_SEATS in */pad/*) export SAMPLE_CRASHES_AT_LAUNCH=mondays ;; esac
      exec "\(StorefleetExecutable.folder)/sample-app"
      """, to: "app")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
    let ready = try LineReader(fifo: tool.workplace.path("ready"))
    let client = try tool.start(
      "client", "--connect", try #require(fleet.endpoints?.requests), "--token", fleet.token, "--name", "box",
      "--device", "phone=account-1", "--device", "pad=account-1", "--app", script, "--launch", "--ready-file",
      ready.path)
    _ = try await ready.first("that it is ready") { $0.contains("box") }
    #expect(client.errors.contains("the app on pad ('\(script)') did not launch, it ended by signal"))
    #expect(client.errors.contains("the sample app does not like mondays"), "\(client.errors)")
    #expect(try await tool.run("buy", Self.lifetime, "--on", "phone").output == "phone: completed\n")
    let refusal = try await tool.run("buy", Self.lifetime, "--on", "pad")
    #expect(refusal.errors.contains("the app on pad does not run, it ended by signal"), "\(refusal.errors)")
    client.process.send(SIGTERM)
    #expect(try await tool.end(of: client.process, "client").isSuccess)
  }

  @Test func aScenarioNamesTheAppByItsOwnFolder() async throws {
    let workplace = try FleetWorkplace()
    let tool = Tool(workplace: workplace)
    try FileManager.default.createSymbolicLink(
      atPath: workplace.path("MyApp"), withDestinationPath: StorefleetExecutable.folder + "/sample-app")
    let file = try workplace.write(
      """
      {
        app: "MyApp",
        world: {clock: {manual: "2026-01-01"}},
        accounts: [{name: "alice"}],
        devices: [{name: "phone", account: "alice"}, {name: "pad", account: "alice"}],
        steps: [
          {buy: "com.example.app.lifetime", on: "phone"},
          {expect: {device: ["phone", "pad"], entitlements: ["com.example.app.lifetime"], access: "unlocked"}},
          {kill: "pad"}, {launch: "pad"},
          {expect: {device: "pad", entitlements: ["com.example.app.lifetime"]}},
        ],
      }
      """, to: "own.json5")
    let outcome = try await tool.run("run", file)
    #expect(outcome.status.isSuccess, "\(outcome.output)\(outcome.errors)")
    let crash = try await tool.run("run", file, "--app", "/bin/true")
    #expect(crash.status == .exited(code: 1), "\(crash.errors)")
    #expect(crash.output.contains("ended before it was ready"), "\(crash.output)")
  }
}
