import Foundation
import Shared
import Testing
import TestPrograms

private let python = ProcessInfo.processInfo.environment["STOREFLEET_PYTHON"]

/// Apple's own library (PyPI: app-store-server-library) must believe what we sign and refuse what we make flawed.
///
/// Runs if `STOREFLEET_PYTHON` names a Python that has the library.
@Suite(.enabled(if: python != nil, "set STOREFLEET_PYTHON to a Python with app-store-server-library"))
struct AppleLibraryTests {
  @Test func appleBelievesASignedTransaction() async throws {
    let authority = try CertificateAuthority(world: "w1")
    let answer = try await ask(about: authority, trusting: authority)
    #expect(answer.status == 0)
    let expected = """
      {"productId": "com.example.app.lifetime", "signedDate": 1748736000000, "transactionId": "2000000000000001", \
      "type": "Non-Consumable"}
      """
    #expect(answer.output == expected)
  }

  @Test func appleBelievesAnAuthorityThatWasReadFromPEM() async throws {
    let authority = try CertificateAuthority(world: "w1")
    let answer = try await ask(about: CertificateAuthority(pem: authority.pem()), trusting: authority)
    #expect(answer.status == 0)
  }

  @Test(arguments: [LeafProfile.expired, .notYetValid, .unmarked])
  func appleRefusesAFlawedLeaf(profile: LeafProfile) async throws {
    let authority = try CertificateAuthority(world: "w1")
    let answer = try await ask(about: authority.issuingLeaf(profile, world: "w1"), trusting: authority)
    #expect(answer.status == 1)
    #expect(answer.output == "VERIFICATION_FAILURE")
  }

  @Test func appleRefusesAForeignRoot() async throws {
    let answer = try await ask(
      about: CertificateAuthority(world: "w1"), trusting: CertificateAuthority(world: "w1"))
    #expect(answer.status == 1)
  }

  private func ask(
    about signing: CertificateAuthority, trusting trusted: CertificateAuthority
  ) async throws -> (status: Int32, output: String) {
    let folder = try SigningFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let root = folder.appendingPathComponent("root.der")
    try trusted.rootDER.write(to: root)
    let jws = try JWSSigner(authority: signing).sign(SigningFixture.transaction)
    let script = URL(filePath: #filePath).appending(path: "../../../conformance/verify_jws.py").standardizedFileURL

    let command = [try #require(python), script.path, root.path, jws.string, "com.example.app", "Sandbox"]
    let result = try await Program.run(command, errors: false)
    return (result.status, result.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
