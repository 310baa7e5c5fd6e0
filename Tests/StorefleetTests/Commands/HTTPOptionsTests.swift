import Testing

@testable import storefleet

struct HTTPOptionsTests {
  private let tool = CommandLineTool(commands: Commands.all)

  @Test func placesAreAnAddressAndAPort() throws {
    #expect(try HTTPOptions.place("127.0.0.1:8080") == ("127.0.0.1", 8080))
    #expect(try HTTPOptions.place("localhost:0") == ("localhost", 0))
    #expect(try HTTPOptions.place("[::1]:8080") == ("::1", 8080))
  }

  @Test(arguments: ["", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "http://a:1", "a b:1"])
  func otherPlacesAreRefused(_ text: String) {
    #expect(throws: UsageError.self) { try HTTPOptions.place(text) }
  }

  @Test func baseURLNamesTheSchemeAndTheRealPort() throws {
    #expect(try options("--http", "127.0.0.1:0")?.baseURL(port: 4711) == "http://127.0.0.1:4711")
    #expect(try options("--http", "[::1]:0")?.baseURL(port: 4711) == "http://[::1]:4711")
    #expect(try options() == nil)
  }

  @Test func whatOtherMachinesReachNeedsTLSOrASayso() throws {
    #expect(throws: UsageError.self) { try options("--http", "0.0.0.0:0") }
    #expect(try options("--http", "0.0.0.0:0", isInsecure: true)?.host == "0.0.0.0")
  }

  @Test func certificateAndKeyBelongTogetherAndToHTTP() {
    #expect(throws: UsageError.self) { try options("--http", "127.0.0.1:0", "--http-cert", "cert.pem") }
    #expect(throws: UsageError.self) { try options("--http-cert", "cert.pem", "--http-key", "key.pem") }
    #expect(throws: CommandFailure.self) {
      try options("--http", "127.0.0.1:0", "--http-cert", "/nowhere/cert.pem", "--http-key", "/nowhere/key.pem")
    }
  }

  private func options(_ words: String..., isInsecure: Bool = false) throws -> HTTPOptions? {
    guard case .run(let command, let arguments) = tool.request(["server"] + words), command.name == "server" else {
      throw UsageError("\(words) were not understood")
    }
    return try HTTPOptions(arguments, isInsecure: isInsecure)
  }
}
