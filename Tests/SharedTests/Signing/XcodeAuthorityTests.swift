import Foundation
import Testing

@testable import Shared

/// What StoreKit Testing in Xcode signs with: one certificate, and nobody above it.
@Suite struct XcodeAuthorityTests {
  let authority: XcodeAuthority
  let jws: CompactJWS

  init() throws {
    authority = try XcodeAuthority()
    jws = try JWSSigner(authority: authority).sign(SigningFixture.transaction)
  }

  @Test func itsDataVerifyAgainstTheCertificateItself() throws {
    #expect(SigningFixture.failure(of: jws.string, trust: authority.trust) == nil)
    for milliseconds: Int64 in [0, 253_402_300_799_999] {
      #expect(SigningFixture.failure(of: jws.string, trust: authority.trust, at: milliseconds) == nil)
    }
    let header = try #require(try JSONSerialization.jsonObject(with: jws.headerData) as? [String: Any])
    #expect(Set(header.keys) == ["alg", "kid", "typ", "x5c"])
    #expect(header["kid"] as? String == "Apple_Xcode_Key" && header["typ"] as? String == "JWT")
    #expect(header["x5c"] as? [String] == [authority.certificateDER.base64EncodedString()])
  }

  @Test func anotherCertificateAndAChangedPayloadAreRefused() throws {
    #expect(SigningFixture.failure(of: jws.string, trust: try XcodeAuthority().trust) == .invalidCertificateChain)
    var parts = SigningFixture.parts(jws)
    parts[1] = Base64URL.encode(Data(#"{"environment":"Xcode"}"#.utf8))
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidSignature)
    var revoking = authority.trust
    revoking.revokedSerials = [try OpenSSLCertificate.read(der: authority.certificateDER).serial()]
    #expect(SigningFixture.failure(of: jws.string, trust: revoking) == .revokedCertificate)
  }

  /// A root signs certificates, and Xcode's certificate signs data: neither does the work of the other.
  @Test func rootsAndXcodesCertificateDoNotStandInForEachOther() throws {
    let chain = try CertificateAuthority(world: "w1")
    let usual = try JWSSigner(authority: chain).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: usual.string, trust: authority.trust) == .invalidCertificateChain)
    #expect(SigningFixture.failure(of: jws.string, trust: chain.trust) == .invalidCertificateChain)
    // The root alone, under Xcode's name, for a phone that trusts it as a root.
    let rootAlone = try JWSSigner(key: chain.rootKey, header: .xcode(certificate: chain.rootDER))
      .sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: rootAlone.string, trust: chain.trust) == .invalidCertificateChain)
    let asRoot = TrustStore(roots: [authority.certificateDER])
    #expect(SigningFixture.failure(of: jws.string, trust: asRoot) == .invalidCertificateChain)
    // And without Xcode's name, it is a chain that is too short.
    let nameless = try JWSSigner(key: authority.key, header: .appStore(chain: [authority.certificateDER]))
      .sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: nameless.string, trust: authority.trust) == .invalidCertificateChain)
  }

  @Test func itIsKeptInAFileOfItsOwnersAlone() throws {
    let folder = try SigningFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "w1.xcode")
    try authority.save(to: file)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let read = try XcodeAuthority.load(from: file)
    #expect(read.certificateDER == authority.certificateDER)
    let signed = try JWSSigner(authority: read).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: signed.string, trust: authority.trust) == nil)
    try Data("nothing".utf8).write(to: file)
    #expect(throws: SigningError.self) { try XcodeAuthority.load(from: file) }
    let other = try XcodeAuthority()
    try Data((PEM.text(key: other.key) + PEM.text(certificateDER: authority.certificateDER)).utf8).write(to: file)
    #expect(throws: SigningError.self) { try XcodeAuthority.load(from: file) }
  }

  @Test func timesHaveFractionsThatReadersOfSignedDataCutOff() throws {
    let identity = StoreIdentity(bundleId: "com.example.app", environment: StoreIdentity.xcode)
    let signedDate = StoreTime(milliseconds: 1_790_000_000_123)
    let payload = AppTransactionPayload(appTransactionId: "7", identity: identity, signedDate: signedDate)
    let text = String(decoding: payload.json(), as: UTF8.self)
    #expect(text.contains(#""receiptCreationDate":1790000000123.5,"originalPurchaseDate":-62135769600000,"#))
    #expect(text.contains(#""requestDate":1790000000123.5,"#))
    #expect(try SignedPayload.decode(AppTransactionPayload.self, from: payload.json()) == payload)
    // Everywhere else a fraction is no time.
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(StoreTime.self, from: Data("1.5".utf8)) }
    for text in ["1e300", "-1e300", "\"1\"", "null"] {
      #expect(throws: DecodingError.self) { try SignedPayload.decode(StoreTime.self, from: Data(text.utf8)) }
    }
    #expect(try SignedPayload.decode(StoreTime.self, from: Data("-1.5".utf8)).milliseconds == -2)
  }
}
