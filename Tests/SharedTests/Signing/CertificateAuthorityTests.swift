import Foundation
import Testing

@testable import Shared

@Suite struct CertificateAuthorityTests {
  @Test func anAuthorityGoesOnAfterARestart() throws {
    let folder = try SigningFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("authority.pem")
    let before = try CertificateAuthority(world: "w1")
    try before.save(to: file)

    let after = try CertificateAuthority.load(from: file)

    #expect(after.trust == before.trust)
    #expect(after.intermediateDER == before.intermediateDER)
    #expect(after.leafDER == before.leafDER)
    let jws = try JWSSigner(authority: after).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: jws.string, trust: before.trust) == nil)
    // The intermediate's key must have come through too.
    let other = try JWSSigner(authority: after.issuingLeaf(world: "w1")).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: other.string, trust: before.trust) == nil)
  }

  @Test func onlyTheOwnerMayReadTheFile() throws {
    let folder = try SigningFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("authority.pem")
    try Data("old".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)

    try CertificateAuthority(world: "w1").save(to: file)

    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["authority.pem"])
  }

  @Test func aFileThatIsMissingOrDamagedIsAClearError() throws {
    let folder = try SigningFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let missing = folder.appendingPathComponent("missing.pem")
    let absent = #expect(throws: SigningError.self) { try CertificateAuthority.load(from: missing) }
    #expect(absent?.operation.contains(missing.path) == true)

    let pem = try CertificateAuthority(world: "w1").pem()
    let truncated = #expect(throws: SigningError.self) { try CertificateAuthority(pem: String(pem.dropLast(200))) }
    #expect(truncated?.reason.contains("3 private keys and 2 certificates") == true)
    #expect(throws: SigningError.self) { try CertificateAuthority(pem: "") }
  }

  @Test func keysOfAnotherAuthorityAreRefused() throws {
    let marker = "-----BEGIN CERTIFICATE-----"
    let mine = try CertificateAuthority(world: "w1").pem().components(separatedBy: marker)
    let theirs = try CertificateAuthority(world: "w1").pem().components(separatedBy: marker)
    let mixed = ([theirs[0]] + mine[1...]).joined(separator: marker)
    let error = #expect(throws: SigningError.self) { try CertificateAuthority(pem: mixed) }
    #expect(error?.reason.contains("not its certificate's") == true)
  }

  /// A marker that were critical would make Apple's verifiers refuse the chain.
  @Test func markersAreNotCriticalAndHoldANull() throws {
    let authority = try CertificateAuthority(world: "w1")
    // OBJECT IDENTIFIER, then at once the OCTET STRING with 05 00: no BOOLEAN for "critical" between them.
    let intermediate = Data([0x06, 0x0A] + Self.identifier + [0x02, 0x01] + [0x04, 0x02, 0x05, 0x00])
    let leaf = Data([0x06, 0x0A] + Self.identifier + [0x0B, 0x01] + [0x04, 0x02, 0x05, 0x00])
    #expect(authority.intermediateDER.firstRange(of: intermediate) != nil)
    #expect(authority.leafDER.firstRange(of: leaf) != nil)
    #expect(authority.intermediateDER.firstRange(of: leaf) == nil)
    #expect(authority.leafDER.firstRange(of: intermediate) == nil)
  }

  @Test func validityReachesFrom1970ToTheYear9999() throws {
    let leaf = try OpenSSLCertificate.read(der: CertificateAuthority(world: "w1").leafDER)
    #expect(leaf.notBefore == 0)
    #expect(leaf.notAfter == 253_402_300_799_999)
  }

  @Test(arguments: ["", String(repeating: "ü", count: 200), "日本 \u{0} 🏬", "a/b=c,d+e"])
  func anyWorldNameGivesAnAuthority(world: String) throws {
    let authority = try CertificateAuthority(world: world)
    let jws = try JWSSigner(authority: authority).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: jws.string, trust: authority.trust) == nil)
  }

  @Test func certificatesNameStorefleetAndTheWorld() throws {
    let authority = try CertificateAuthority(world: "checkout-tests")
    for der in [authority.rootDER, authority.intermediateDER, authority.leafDER] {
      #expect(der.firstRange(of: Data("Storefleet".utf8)) != nil)
      #expect(der.firstRange(of: Data("checkout-tests".utf8)) != nil)
    }
  }

  /// 1.2.840.113635.100.6 in DER.
  private static let identifier: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06]
}
