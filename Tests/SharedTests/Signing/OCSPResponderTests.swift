import Foundation
import Testing

@testable import Shared

/// What Apple's Python verifier asks is answered in Tests/conformance; here is what no verifier asks.
struct OCSPResponderTests {
  private static let url = "http://127.0.0.1:8080/ocsp/w"

  @Test func certificatesNameTheirResponderAndMoveWithIt() throws {
    let plain = try CertificateAuthority(world: "w")
    #expect(try plain.ocspURL() == nil)
    let moved = try plain.moved(toOCSP: Self.url, world: "w")
    #expect(try moved.ocspURL() == Self.url)
    #expect(try CertificateAuthority(world: "w", ocspURL: Self.url).ocspURL() == Self.url)
    // The root stays, so whoever trusts it believes both what was signed before and what is signed now.
    #expect(moved.rootDER == plain.rootDER)
    let verifier = JWSVerifier(trust: plain.trust)
    for authority in [plain, moved] {
      let jws = try JWSSigner(authority: authority).sign(Data("{}".utf8))
      #expect(throws: Never.self) { try verifier.verify(jws, at: 1_767_225_600_000) }
    }
    #expect(try CertificateAuthority(pem: moved.pem()).ocspURL() == Self.url)
  }

  @Test(arguments: [[], [0x30], [0x30, 0x80], Array(repeating: 0xFF, count: 2_000)] as [[UInt8]])
  func bytesThatAreNoRequestAreAnswered(_ bytes: [UInt8]) throws {
    let responder = OCSPResponder(authority: try CertificateAuthority(world: "w"))
    #expect(Array(try responder.respond(to: Data(bytes))) == [0x30, 0x03, 0x0A, 0x01, 0x01], "malformedRequest")
  }
}
