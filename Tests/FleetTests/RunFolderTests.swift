import Fleet
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RunFolderTests {
  private let temporary: TemporaryFolder
  private let home: RunHome

  init() throws {
    temporary = try TemporaryFolder()
    home = RunHome(path: temporary.path("home"))
  }

  @Test func newFleetHasItsLauncherATokenAndAPlaceForEverything() throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    let description = try folder.readDescription()
    #expect(description.name == "demo")
    #expect(description.launcher == ProcessIdentity.current)
    #expect(description.launcher.processID == getpid())
    #expect(description.token.utf8.count == 64)
    #expect(description.endpoints == nil)
    #expect(description.nodes.isEmpty)
    try "x".write(toFile: folder.logPath(of: "server-1"), atomically: false, encoding: .utf8)
    try "x".write(toFile: folder.dataPath + "/journal", atomically: false, encoding: .utf8)
  }

  @Test func keptFolderOfADeadFleetStaysUntilAFleetOfItsNameIsMade() throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    var description = try folder.readDescription()
    // No process has started before the machine has.
    description.launcher = ProcessIdentity(processID: getpid(), startTime: 0)
    try folder.writeDescription(description)
    folder.keep()
    #expect(try RunFolder.list(in: home) == [])
    #expect(try folder.readDescription() == description)
    _ = try RunFolder.create(name: "demo", in: home)
    #expect(try RunFolder.list(in: home) == [folder])
    #expect(try folder.readDescription().launcher == ProcessIdentity.current)
  }

  @Test func whatEndedFleetsHaveLeftIsRemovedAndCounted() throws {
    #expect(try RunFolder.removeEnded(in: home) == 0)
    let running = try RunFolder.create(name: "running", in: home)
    for name in ["kept", "dead"] {
      let folder = try RunFolder.create(name: name, in: home)
      if name == "kept" { folder.keep() }
      var description = try folder.readDescription()
      description.launcher = ProcessIdentity(processID: getpid(), startTime: 0)
      try folder.writeDescription(description)
    }
    let other = temporary.path("home/fleets/something")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    #expect(try RunFolder.removeEnded(in: home) == 2)
    #expect(try RunFolder.removeEnded(in: home) == 0)
    #expect(try RunFolder.list(in: home) == [running])
    #expect(FileManager.default.fileExists(atPath: other), "what is no fleet's folder is left alone")
  }

  @Test func everyFleetHasATokenOfItsOwn() throws {
    let tokens = try ["one", "two"].map { try RunFolder.create(name: $0, in: home).readDescription().token }
    #expect(tokens[0] != tokens[1])
  }

  @Test func nobodyElseCanReadIt() throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    let key = try folder.writePrivateFile(Data("secret".utf8), named: "server.key")
    #expect(try mode(of: home.path) == 0o700)
    #expect(try mode(of: folder.path) == 0o700)
    #expect(try mode(of: folder.descriptionPath) == 0o600)
    #expect(try mode(of: key) == 0o600)
    #expect(try String(contentsOfFile: key, encoding: .utf8) == "secret")
  }

  @Test func descriptionIsReplacedWithoutAHalfWrittenState() throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    var description = try folder.readDescription()
    description.endpoints = FleetDescription.Endpoints(requests: "tcp://127.0.0.1:1", events: "tcp://127.0.0.1:2")
    description.nodes = [FleetDescription.Node(name: "server-1", kind: .server, process: description.launcher)]
    // A reader that has the old file open keeps the old content to the end.
    let reader = try FileHandle(forReadingFrom: URL(filePath: folder.descriptionPath))
    let before = try Data(contentsOf: URL(filePath: folder.descriptionPath))
    try folder.writeDescription(description)
    #expect(try reader.readToEnd() == before)
    #expect(try folder.readDescription() == description)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["data", "fleet.json", "logs"])
  }

  @Test func secondFleetOfTheSameNameIsRefused() throws {
    _ = try RunFolder.create(name: "demo", in: home)
    #expect(
      throws: RunFolderError(
        .taken,
        "a fleet named 'demo' is running (process \(getpid())): end it first or choose another name")
    ) { try RunFolder.create(name: "demo", in: home) }
  }

  @Test func onlyOneOfManyAtOnceGetsTheName() async throws {
    let winners = await withTaskGroup { [home] group in
      for _ in 0..<20 { group.addTask { (try? RunFolder.create(name: "demo", in: home)) != nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(winners == 1)
  }

  @Test func nameOfADeadFleetIsFreeAgain() async throws {
    let old = try await makeDeadFleet("demo")
    try "x".write(toFile: old.dataPath + "/journal", atomically: false, encoding: .utf8)
    let new = try RunFolder.create(name: "demo", in: home)
    #expect(try new.readDescription().launcher == ProcessIdentity.current)
    #expect(!FileManager.default.fileExists(atPath: new.dataPath + "/journal"))
  }

  @Test func listShowsTheLivingAndRemovesTheDead() async throws {
    let dead = try await makeDeadFleet("dead")
    let (two, one) = (try RunFolder.create(name: "two", in: home), try RunFolder.create(name: "one", in: home))
    #expect(try RunFolder.list(in: home) == [one, two])
    #expect(!FileManager.default.fileExists(atPath: dead.path))
  }

  @Test func foreignFolderIsNeitherListedNorRemoved() throws {
    _ = try RunFolder.create(name: "demo", in: home)
    let foreign = home.path + "/fleets/photos"
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
    #expect(try RunFolder.list(in: home).map(\.name) == ["demo"])
    #expect(throws: RunFolderError.self) { try RunFolder.create(name: "photos", in: home) }
    #expect(FileManager.default.fileExists(atPath: foreign))
  }

  @Test func processThatGotTheNumberOfADeadLauncherIsNotTakenForIt() throws {
    let current = try #require(ProcessIdentity.current)
    let earlier = ProcessIdentity(processID: current.processID, startTime: current.startTime - 1)
    #expect(current.isRunning)
    #expect(!earlier.isRunning)
  }

  @Test func processThatOnlyWaitsToBeReapedIsNotRunning() async throws {
    let log = temporary.path("log")
    let script = """
      import os, time
      child = os.fork()
      if child == 0:
          os._exit(0)
      print(child, flush=True)
      time.sleep(1000)
      """
    let parent = try ChildProcess.start(.python(script, output: .appended(toFileAt: log)))
    try await eventually {
      let zombie = Int32(try String(contentsOfFile: log, encoding: .utf8).dropLast()) ?? 0
      return try zombie > 0 && ProcessState(of: zombie) == .zombie && ProcessIdentity(runningProcess: zombie) == nil
    }
    await parent.terminate(grace: .zero)
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a b", "ünder", String(repeating: "x", count: 129)])
  func badNameIsRefused(name: String) throws {
    let error = try #require(throws: RunFolderError.self) { try RunFolder.create(name: name, in: home) }
    #expect(error.code == .badName)
  }

  @Test func linkInPlaceOfTheHomeIsRefused() throws {
    try FileManager.default.createSymbolicLink(atPath: home.path, withDestinationPath: temporary.path)
    let error = try #require(throws: RunFolderError.self) { try RunFolder.create(name: "demo", in: home) }
    #expect(error.code == .unsafe)
    #expect(error.message.contains("is not a folder of yours"))
  }

  @Test func folderThatOthersCanChangeIsRefusedAndLeftAsItIs() throws {
    try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
    for (folder, shared) in [(home.path, mode_t(0o777)), (home.path + "/fleets", 0o755)] {
      chmod(folder, shared)
      let error = try #require(throws: RunFolderError.self) { try RunFolder.create(name: "demo", in: home) }
      #expect(error.code == .unsafe)
      #expect(error.message.hasPrefix("others have access to '\(folder)'"))
      #expect(try mode(of: folder) == shared)
      chmod(folder, 0o755)
      mkdir(home.path + "/fleets", 0o700)
    }
  }

  @Test func homeThatOthersCanReadServes() throws {
    try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
    chmod(home.path, 0o755)
    _ = try RunFolder.create(name: "demo", in: home)
    #expect(try mode(of: home.path) == 0o755)
    #expect(try mode(of: home.path + "/fleets") == 0o700)
  }

  @Test(arguments: [
    (["STOREFLEET_HOME": "/h", "XDG_RUNTIME_DIR": "/x"], "/h"), (["XDG_RUNTIME_DIR": "/x"], "/x/storefleet"),
    (["STOREFLEET_HOME": "", "XDG_RUNTIME_DIR": ""], "/tmp/storefleet-\(getuid())"),
    ([:], "/tmp/storefleet-\(getuid())"),
  ])
  func homeFollowsTheEnvironment(environment: [String: String], path: String) {
    #expect(RunHome(environment: environment).path == path)
  }

  @Test func removedFolderIsGoneAndCanBeRemovedAgain() throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    try folder.remove()
    try folder.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/fleets").isEmpty)
  }

  // MARK: Finding

  @Test func onlyRunningFleetNeedsNoName() throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    #expect(try RunFolder.find(in: home, environment: [:]) == folder)
  }

  @Test func fleetIsFoundByNameByPathAndByEnvironment() throws {
    let (one, two) = (try RunFolder.create(name: "one", in: home), try RunFolder.create(name: "two", in: home))
    #expect(try RunFolder.find(fleet: "two", in: home, environment: [RunFolder.variable: "one"]) == two)
    #expect(try RunFolder.find(fleet: one.path + "/", in: home, environment: [:]) == one)
    #expect(try RunFolder.find(in: home, environment: [RunFolder.variable: "one"]) == one)
    #expect(try RunFolder.find(in: home, environment: [RunFolder.variable: two.path]) == two)
  }

  @Test func noFleetIsOneClearSentence() async throws {
    let expected = RunFolderError(.notFound, "no fleet is running: start one with 'storefleet up'")
    #expect(throws: expected) { try RunFolder.find(in: home, environment: [:]) }
    // Looking for a fleet leaves nothing behind.
    #expect(!FileManager.default.fileExists(atPath: home.path))
    _ = try await makeDeadFleet("dead")
    #expect(throws: expected) { try RunFolder.find(in: home, environment: [:]) }
  }

  @Test func severalFleetsAreNamed() throws {
    for name in ["one", "two"] { _ = try RunFolder.create(name: name, in: home) }
    #expect(
      throws: RunFolderError(
        .ambiguous, "2 fleets are running (one, two): say which one with '--fleet NAME' or in STOREFLEET_FLEET")
    ) { try RunFolder.find(in: home, environment: [:]) }
  }

  @Test func unknownFleetIsOneClearSentence() async throws {
    #expect(
      throws: RunFolderError(.notFound, "no fleet named 'x' is running: start one with 'storefleet up'")
    ) { try RunFolder.find(fleet: "x", in: home, environment: [:]) }
    for name in ["one", "two"] { _ = try RunFolder.create(name: name, in: home) }
    #expect(
      throws: RunFolderError(
        .notFound, "no fleet named 'x' (from STOREFLEET_FLEET) is running: running are one, two")
    ) { try RunFolder.find(in: home, environment: [RunFolder.variable: "x"]) }
    let dead = try await makeDeadFleet("dead")
    #expect(
      throws: RunFolderError(
        .notFound, "the fleet in '\(dead.path)' is not running any more: start one with 'storefleet up'")
    ) { try RunFolder.find(fleet: dead.path, in: home, environment: [:]) }
  }

  @Test(arguments: ["", "{", "[]", #"{"name": 1}"#, #"{"name":"demo","launcher":{"processID":-1}}"#])
  func damagedDescriptionIsOneClearSentence(text: String) throws {
    let folder = try RunFolder.create(name: "demo", in: home)
    try text.write(toFile: folder.descriptionPath, atomically: true, encoding: .utf8)
    let error = try #require(throws: RunFolderError.self) {
      try RunFolder.find(fleet: folder.path, in: home, environment: [:])
    }
    #expect(error.code == .damaged)
    #expect(try RunFolder.list(in: home).isEmpty)
  }

  /// A fleet whose launcher, a process of its own, has ended.
  private func makeDeadFleet(_ name: String) async throws -> RunFolder {
    let launcher = try ChildProcess.start(.shell("exec sleep 1000"))
    let identity = try #require(ProcessIdentity(runningProcess: launcher.processID))
    let folder = try RunFolder.create(name: name, in: home)
    var description = try folder.readDescription()
    description.launcher = identity
    try folder.writeDescription(description)
    await launcher.terminate(grace: .zero)
    return folder
  }

  private func mode(of path: String) throws -> UInt32 {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o777
  }
}
