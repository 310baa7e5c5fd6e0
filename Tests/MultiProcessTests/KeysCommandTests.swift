import Fleet
import FleetTesting
import Foundation
import FoundationNetworking
import Glibc
import Testing

/// `storefleet keys`, and the API that they open, in a fleet that is up.
@Suite(.timeLimit(.minutes(3)))
struct KeysCommandTests {
  private let tool: Tool

  init() throws { tool = Tool(workplace: try FleetWorkplace()) }

  private struct Keys: Decodable {
    struct Files: Decodable { var privateKey, rootDER, rootPEM: String }
    var keyId: String
    var privateKey: String
    var rootCertificateDER: Data
    var rootCertificatePEM: String
    var productionURL: String
    var sandboxURL: String
    var files: Files
    var lines: [String: String]
  }

  @Test func keysOfAFleetAreWrittenForItsOwnerAlone() async throws {
    let up = try tool.start(["up", "-n", "1"])
    _ = try await up.lines.first("it is up") { $0.contains("Ctrl-C ends it") }
    let folder = tool.workplace.path("keys")
    let outcome = try await tool.run("keys", "--json", "--out", folder)
    #expect(outcome.status.isSuccess, "\(outcome.errors)")
    let keys = try JSONDecoder().decode(Keys.self, from: Data(outcome.output.utf8))
    #expect(keys.sandboxURL.hasSuffix("/main/sandbox") && keys.productionURL.hasSuffix("/main/production"))
    #expect(try Data(contentsOf: URL(filePath: keys.files.rootDER)) == keys.rootCertificateDER)
    #expect(try String(contentsOfFile: keys.files.rootPEM, encoding: .utf8) == keys.rootCertificatePEM)
    #expect(try String(contentsOfFile: keys.files.privateKey, encoding: .utf8) == keys.privateKey)
    let mode = try FileManager.default.attributesOfItem(atPath: keys.files.privateKey)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let words = try await tool.run("keys")
    #expect(words.output.contains(keys.keyId) && words.output.contains("client._base_url"))
    // Without a token nobody gets in, and the log says why.
    let url = try #require(URL(string: keys.sandboxURL + "/inApps/v1/transactions/1"))
    let (body, response) = try await URLSession.shared.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 401 && body.isEmpty)
    up.process.send(SIGTERM)
    #expect(try await tool.end(of: up.process, "up") == .exited(code: 0))
  }

  @Test func anAddressBeyondLoopbackNeedsTLSOrASayso() async throws {
    let outcome = try await tool.run("server", "--http", "0.0.0.0:0")
    #expect(outcome.status == .exited(code: 2), "\(outcome.errors)")
    #expect(outcome.errors.contains("--http-cert"))
  }

  @Test func aPortThatIsTakenIsOneClearLine() async throws {
    let up = try tool.start(["up", "-n", "1"])
    _ = try await up.lines.first("it is up") { $0.contains("Ctrl-C ends it") }
    let fleet = try RunFolder(path: tool.workplace.home.path + "/fleets/fleet").readDescription()
    let port = try #require(fleet.endpoints?.http.flatMap { URL(string: $0)?.port })
    let outcome = try await tool.run("server", "--http", "127.0.0.1:\(port)")
    #expect(outcome.status == .exited(code: 3))
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    up.process.send(SIGTERM)
    _ = try await tool.end(of: up.process, "up")
  }
}
