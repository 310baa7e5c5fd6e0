import ClientNode
import Testing

@testable import storefleet

struct ClientSeatsTests {
  @Test func countedDevicesAreNamedAfterTheNodeAndTheirAccountsTakeTurns() throws {
    #expect(
      try seats(["--device-count", "3", "--account", "alice", "--account", "bob"])
        == ["node-1=alice", "node-2=bob", "node-3=alice"])
  }

  @Test func namedAndCountedDevicesGoTogether() throws {
    #expect(
      try seats(["--device", "phone=carol", "--device-count", "1", "--account", "alice"])
        == ["phone=carol", "node-1=alice"])
  }

  @Test(
    arguments: [
      (["--device-count", "2"], "--device-count needs to know whose they are: add --account NAME"),
      (["--account", "alice"], "--account says whose counted devices are: add --device-count N"),
      (["--device", "phone"], "--device is NAME=ACCOUNT, such as phone=alice, not 'phone'"),
      (
        ["--device-count", "0", "--account", "alice"],
        "option '--device-count' is '0': a whole number from 1 to 100000 was expected"
      ),
    ])
  func devicesThatMakeNoSenseAreRefusedInOneSentence(words: [String], sentence: String) {
    let error = #expect(throws: UsageError.self) { try seats(words) }
    #expect(error?.message == sentence)
  }

  @Test func hostNameNamesANode() {
    #expect(ClientSeats.hostName.isEmpty == false)
  }

  private func seats(_ words: [String]) throws -> [String] {
    let arguments = try ArgumentParser(command: ClientCommand.command).parse(words)
    return try ClientSeats.read(arguments, world: "main", node: "node").map { "\($0.name)=\($0.account)" }
  }
}
