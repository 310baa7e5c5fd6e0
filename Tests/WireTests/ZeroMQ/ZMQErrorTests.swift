import Foundation
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct ZMQErrorTests {
  @Test func aLongIPCPathIsToldItsLengthAndTheLimit() async throws {
    let endpoint = "ipc:///tmp/" + String(repeating: "x", count: 103)
    let error = try await failure { _ = try await $0.bind(endpoint) }
    #expect(error.code == .pathTooLong)
    #expect(
      error.description
        == "Cannot listen on \(endpoint): the path has 108 bytes and ipc paths end at 107; "
        + "use a shorter folder, or tcp://127.0.0.1:*.")
  }

  @Test func anAddressInUseIsNamed() async throws {
    try await withReactor { context, reactor in
      let first = TestPeer(context, reactor)
      try await first.open(.router)
      let endpoint = try await first.bind("tcp://127.0.0.1:*")
      let second = TestPeer(context, reactor)
      try await second.open(.router)
      let error = await #expect(throws: ZMQError.self) { _ = try await second.bind(endpoint) }
      #expect(error?.code == .addressInUse)
      #expect(error?.endpoint == endpoint)
      #expect("\(try #require(error))".hasPrefix("Cannot listen on \(endpoint): another socket listens there;"))
    }
  }

  @Test func anInterfaceThatIsNotThereIsNamed() async throws {
    let error = try await failure { _ = try await $0.bind("tcp://nowhere9:*") }
    #expect(error.code == .noSuchInterface)
    #expect(error.description.contains("no network interface has this name or address"))
  }

  @Test func anAddressOfAnotherMachineIsNotAvailable() async throws {
    let error = try await failure { _ = try await $0.bind("tcp://192.0.2.1:*") }
    #expect(error.code == .addressNotAvailable)
  }

  @Test func aFolderThatIsMissingIsNamed() async throws {
    let error = try await failure { _ = try await $0.bind("ipc:///tmp/\(UUID())/socket") }
    #expect(error.code == .notFound)
    #expect(error.description.hasSuffix("the folder does not exist; create it first."))
  }

  @Test(arguments: ["tcp://127.0.0.1", "tcp://127.0.0.1:port", "nonsense", ""])
  func whatIsNoEndpointIsRefused(_ endpoint: String) async throws {
    let bind = try await failure { _ = try await $0.bind(endpoint) }
    let connect = try await failure { try await $0.connect(endpoint) }
    for error in [bind, connect] {
      #expect(error.code == .invalid)
      #expect(error.description.hasSuffix("expected tcp://host:port, ipc://path or inproc://name."))
    }
  }

  @Test func aPortThatNoMachineHasIsRefused() async throws {
    let endpoint = "tcp://127.0.0.1:99999"
    let bind = try await failure { _ = try await $0.bind(endpoint) }
    #expect(bind.description == "Cannot listen on \(endpoint): there is no port 99999; ports end at 65535.")
    let connect = try await failure { try await $0.connect(endpoint) }
    #expect(connect.description == "Cannot connect to \(endpoint): there is no port 99999; ports end at 65535.")
  }

  @Test func anUnknownTransportIsRefused() async throws {
    let error = try await failure { try await $0.connect("carrier-pigeon://loft") }
    #expect(error.code == .unknownTransport)
  }

  private func failure(_ body: (TestPeer) async throws -> Void) async throws -> ZMQError {
    var failure: ZMQError?
    try await withReactor { context, reactor in
      let peer = TestPeer(context, reactor)
      try await peer.open(.router)
      failure = await #expect(throws: ZMQError.self) { try await body(peer) }
    }
    return try #require(failure)
  }
}
