import Foundation
import ServerNode
import Testing
import Wire

@testable import storefleet

/// Commands that reach a server node by its endpoint alone, as they do when it runs in a container.
struct EndpointTests {
  private let tool = CommandLineTool(commands: Commands.all)

  @Test func storeIsSetUpThroughItsEndpointAndTheSameAgainChangesNothing() async throws {
    try await withServer { endpoint in
      for _ in 1...2 {
        #expect(await run("world create --connect", endpoint) == .ok)
        #expect(await run("account open alice bob --connect", endpoint) == .ok)
      }
      #expect(await run("account open alice --asks-to-buy --connect", endpoint) == .failed)
      #expect(await run("buy com.example.app.lifetime --account alice --connect", endpoint) == .ok)
      #expect(await run("buy com.example.app.lifetime --account nobody --connect", endpoint) != .ok)
    }
  }

  @Test func habitsOfAWorldAreMadeChangedAndShown() async throws {
    try await withServer { endpoint in
      #expect(await run("habits coldStartEmpty on --connect", endpoint) != .ok)
      #expect(await run("world create --habits field,lateListing=800 --connect", endpoint) == .ok)
      #expect(await run("world create --habits field --connect", endpoint) == .failed)
      #expect(await run("habits coldStartEmpty off --connect", endpoint) == .ok)
      #expect(await run("habits xcode,bufferedReplay --connect", endpoint) == .ok)
      #expect(await run("habits --here --json --connect", endpoint) == .ok)
    }
  }

  @Test func worldsOfOneServerAreApart() async throws {
    try await withServer { endpoint in
      #expect(await run("world create --world autumn --connect", endpoint) == .ok)
      #expect(await run("account open alice --world autumn --connect", endpoint) == .ok)
      #expect(await run("account open alice --connect", endpoint) != .ok)
    }
  }

  @Test func pingTellsWhoAnswers() async throws {
    try await withServer { endpoint in
      #expect(await run("ping --connect", endpoint) == .ok)
      #expect(await run("ping phone --connect", endpoint) == .failed)
      #expect(await run("ping --token wrong --connect", endpoint) == .unreachable)
    }
    #expect(await run("ping --timeout 100ms --connect", "tcp://127.0.0.1:1") == .unreachable)
    #expect(await run("ping --connect", "nonsense") == .usage)
  }

  @Test func endpointAndFleetTogetherAreAMistake() async {
    #expect(await run("devices --fleet mine --connect", "tcp://127.0.0.1:1") == .usage)
  }

  private func run(_ words: String, _ endpoint: String) async -> ExitCode {
    var words = words.split(separator: " ").map(String.init) + [endpoint]
    if !words.contains("--token") { words += ["--token", "secret"] }
    return await tool.run(words)
  }

  /// A server node in this process that listens on every interface and keeps nothing.
  private func withServer(_ body: (String) async throws -> Void) async throws {
    let configuration = StoreServer.Configuration(
      dataFolder: nil, requestsEndpoint: "tcp://0.0.0.0:*", eventsEndpoint: "tcp://0.0.0.0:*", token: "secret")
    let server = try StoreServer(configuration) { _ in }
    let endpoints = try await server.run()
    do {
      try await body(endpoints.requests.replacing("0.0.0.0", with: "127.0.0.1"))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}
