import Fleet
import Testing

@testable import storefleet

/// Which app runs on the devices, as it is said on the command line.
struct AppOptionsTests {
  private func read(_ words: String...) throws -> AppExecutable? {
    let command = Command(
      name: "app", summary: "", options: AppOptions.all, examples: [.init("storefleet app", "")]
    ) { _ in .ok }
    return try AppOptions.read(ArgumentParser(command: command).parse(words))
  }

  @Test func withoutAnAppItIsTheBuiltInOne() throws {
    #expect(try read() == nil)
  }

  @Test func anAppHasAProcessForEachDeviceUnlessTheyArePacked() throws {
    #expect(try read("--app", "/bin/true")?.devicesPerProcess == 1)
    #expect(try read("--app", "/bin/true", "--devices-per-process", "20")?.devicesPerProcess == 20)
  }

  @Test func whatIsNoAppIsRefusedBeforeAnythingStarts() {
    let failure = #expect(throws: CommandFailure.self) { try read("--app", "/nowhere/MyApp") }
    #expect(failure.map { "\($0)" }?.contains("there is no app '/nowhere/MyApp'") == true)
  }

  @Test func packingIsAboutAnApp() {
    #expect(throws: UsageError.self) { try read("--devices-per-process", "2") }
  }

  @Test func aSkewIsADuration() async {
    let tool = CommandLineTool(commands: Commands.all)
    #expect(await tool.run(["device", "skew", "phone", "2y", "--connect", "tcp://127.0.0.1:9"]) == .usage)
  }
}
