import Foundation
import HTTPServer
import Testing
import TestPrograms

/// Against the `openssl` of the machine, as a client that was not written by us.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"))) struct TLSTests {
  @Test func requestsAreServedOverTLS() async throws {
    try await withServer(tls: TestIdentity.tls) { server async throws in
      let text = try await openssl(port: server.port, "GET /tls HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(text.contains("HTTP/1.1 200 OK") && text.contains("GET /tls 0"))
      #expect(text.contains("Verify return code: 0 (ok)"))
    }
  }

  @Test func limitsHoldOverTLS() async throws {
    var limits = HTTPServerLimits()
    limits.bodyBytes = 10
    try await withServer(limits: limits, tls: TestIdentity.tls) { server async throws in
      let text = try await openssl(
        port: server.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
      #expect(text.contains("HTTP/1.1 413"))
    }
  }

  @Test func garbageInPlaceOfAHandshakeEndsTheConnection() async throws {
    try await withServer(tls: TestIdentity.tls) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(get("/plain"))
      #expect(await !client.readToEnd().contains("200 OK"))
      let text = try await openssl(port: server.port, "GET /tls HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(text.contains("GET /tls 0"))
    }
  }

  /// What `openssl s_client` prints when it has sent the text and the server has closed.
  private func openssl(port: Int, _ text: String) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("http-tls-\(UUID().uuidString).pem")
    try Data(TestIdentity.certificate.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = #"printf %s "$1" | openssl s_client -connect "$2" -CAfile "$3" -ign_eof"#
    return try await Program.run(["sh", "-c", script, "sh", text, "localhost:\(port)", file.path], errors: false).output
  }
}
