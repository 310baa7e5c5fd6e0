import Foundation
import Testing

@testable import Shared

@Suite struct JWSVerifierTests {
  let authority: CertificateAuthority
  let jws: CompactJWS

  init() throws {
    authority = try CertificateAuthority(world: "w1")
    jws = try JWSSigner(authority: authority).sign(SigningFixture.transaction)
  }

  @Test func signedDataComesBackAsItWas() throws {
    let read = try JWSVerifier(trust: authority.trust).verify(jws.string, at: SigningFixture.signedDate)
    #expect(read == jws)
    #expect(read.payloadData == SigningFixture.transaction)
    #expect(read.signatureData.count == 64)
    let header = try #require(try JSONSerialization.jsonObject(with: read.headerData) as? [String: Any])
    #expect(Set(header.keys) == ["alg", "x5c"])
    #expect(header["alg"] as? String == "ES256")
    let chain = [authority.leafDER, authority.intermediateDER, authority.rootDER].map { $0.base64EncodedString() }
    #expect(header["x5c"] as? [String] == chain)
  }

  @Test(arguments: [0, 1, 2, 3, 1000]) func payloadsOfAnyLengthAreSigned(count: Int) throws {
    let payload = Data(repeating: 0x20, count: count)
    let jws = try JWSSigner(authority: authority).sign(payload)
    #expect(jws.payloadData == payload)
    // A compact JWS of the store always has a payload, so the empty one is no JWS to a reader.
    #expect(SigningFixture.failure(of: jws.string, trust: authority.trust) == (count == 0 ? .invalidEncoding : nil))
  }

  @Test func aChangedPayloadIsInvalidSignature() throws {
    var parts = SigningFixture.parts(jws)
    let text = String(decoding: SigningFixture.transaction, as: UTF8.self)
    parts[1] = Base64URL.encode(Data(text.replacing("lifetime", with: "lifelong").utf8))
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidSignature)
  }

  @Test func aChangedHeaderIsInvalidSignature() throws {
    var header = JWSHeader.appStore(chain: authority.chain)
    header.typ = "JWT"
    #expect(try failure(withHeader: header) == .invalidSignature)
  }

  @Test(arguments: [0, 31, 32, 63]) func anyChangedByteOfTheSignatureIsInvalidSignature(index: Int) throws {
    var parts = SigningFixture.parts(jws)
    var signature = jws.signatureData
    signature[index] ^= 1
    parts[2] = Base64URL.encode(signature)
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidSignature)
  }

  @Test(arguments: [Data(count: 64), Data(repeating: 0xFF, count: 64), Data(count: 63), Data(count: 1)])
  func aSignatureThatNoKeyCanMakeIsInvalidSignature(signature: Data) {
    var parts = SigningFixture.parts(jws)
    parts[2] = Base64URL.encode(signature)
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidSignature)
  }

  @Test func theSignatureOfAnotherLeafIsInvalidSignature() throws {
    var parts = SigningFixture.parts(jws)
    let other = try JWSSigner(authority: authority.issuingLeaf(world: "w1")).sign(SigningFixture.transaction)
    parts[2] = SigningFixture.parts(other)[2]
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidSignature)
  }

  @Test(arguments: [
    "not json", "[]", "null", "{}", #"{"alg":"none","x5c":[]}"#, #"{"alg":"ES384","x5c":[]}"#, #"{"alg":7}"#,
    #"{"alg":"ES256","x5c":"x"}"#, #"{"alg":"ES256","x5c":[1,2,3]}"#, #"{"alg":"ES256","x5c":[],"crit":["exp"]}"#,
    String(repeating: "[", count: 40_000), #"{"alg":"ES256","x":""# + String(repeating: "y", count: 70_000) + #""}"#,
  ])
  func aHeaderThatIsNoES256HeaderIsInvalidEncoding(header: String) {
    var parts = SigningFixture.parts(jws)
    parts[0] = Base64URL.encode(Data(header.utf8))
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidEncoding)
  }

  @Test func aHeaderInInvalidUTF8IsInvalidEncoding() {
    var parts = SigningFixture.parts(jws)
    parts[0] = Base64URL.encode(Data([0x7B, 0xFF, 0xFE, 0x7D]))
    #expect(SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust) == .invalidEncoding)
  }

  @Test func anyOtherNumberOrOrderOfCertificatesIsInvalidCertificateChain() throws {
    let (leaf, intermediate, root) = (authority.leafDER, authority.intermediateDER, authority.rootDER)
    let chains = [
      [], [leaf], [leaf, intermediate], [leaf, intermediate, root, root], [root, intermediate, leaf],
      [intermediate, leaf, root], [leaf, root, root], [leaf, leaf, root], [root, root, root],
      [leaf, intermediate, intermediate], [leaf + Data([0]), intermediate, root], [Data(), Data(), Data()],
      [leaf.dropLast(), intermediate, root],
    ]
    for chain in chains {
      #expect(try failure(withHeader: .appStore(chain: chain)) == .invalidCertificateChain)
    }
    #expect(try failure(withHeader: JWSHeader(alg: "ES256", x5c: nil)) == .invalidCertificateChain)
    #expect(try failure(withHeader: JWSHeader(alg: "ES256", x5c: ["!", "!", "!"])) == .invalidCertificateChain)
  }

  @Test func aForeignRootIsInvalidCertificateChain() throws {
    let foreign = try CertificateAuthority(world: "w1")
    let theirs = try JWSSigner(authority: foreign).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: theirs.string, trust: authority.trust) == .invalidCertificateChain)
    #expect(SigningFixture.failure(of: theirs.string, trust: foreign.trust) == nil)
    #expect(SigningFixture.failure(of: theirs.string, trust: TrustStore(roots: [])) == .invalidCertificateChain)

    // Nor does it help to send the right root, or the right intermediate, with a foreign leaf.
    let mixed = [
      [foreign.leafDER, foreign.intermediateDER, authority.rootDER],
      [foreign.leafDER, authority.intermediateDER, authority.rootDER],
      [authority.leafDER, foreign.intermediateDER, authority.rootDER],
      [authority.leafDER, authority.intermediateDER, foreign.rootDER],
    ]
    for chain in mixed {
      #expect(try failure(withHeader: .appStore(chain: chain), key: foreign.leafKey) == .invalidCertificateChain)
    }
  }

  @Test func oneOfSeveralTrustedRootsIsEnough() throws {
    let others = try [CertificateAuthority(world: "w2"), CertificateAuthority(world: "w1")].map(\.rootDER)
    let trust = TrustStore(roots: others + [authority.rootDER])
    #expect(SigningFixture.failure(of: jws.string, trust: trust) == nil)
  }

  @Test(arguments: [LeafProfile.expired, .notYetValid, .unmarked])
  func aFlawedLeafIsInvalidCertificateChain(profile: LeafProfile) throws {
    let flawed = try authority.issuingLeaf(profile, world: "w1")
    let jws = try JWSSigner(authority: flawed).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: jws.string, trust: authority.trust) == .invalidCertificateChain)
  }

  @Test(arguments: [true, false])
  func anIntermediateWithoutMarkerIsInvalidCertificateChain(isMarked: Bool) throws {
    let (key, leafKey) = (try OpenSSLKey.generate(), try OpenSSLKey.generate())
    let intermediate = try OpenSSLCertificate.issue(
      .intermediate(isMarked: isMarked), world: "w1", key: key, notBefore: 0, notAfter: CertificateAuthority.notAfter,
      issuerDER: authority.rootDER, issuerKey: authority.rootKey
    ).der()
    let leaf = try OpenSSLCertificate.issue(
      .leaf(isMarked: true), world: "w1", key: leafKey, notBefore: 0, notAfter: CertificateAuthority.notAfter,
      issuerDER: intermediate, issuerKey: key
    ).der()
    let header = JWSHeader.appStore(chain: [leaf, intermediate, authority.rootDER])
    #expect(try failure(withHeader: header, key: leafKey) == (isMarked ? nil : .invalidCertificateChain))
  }

  @Test func validityIsThatOfTheTimeAsked() throws {
    let year = try authority.issuingLeaf(
      LeafProfile(notBefore: 1_735_689_600_000, notAfter: 1_767_225_599_000, isMarked: true), world: "w1")
    let jws = try JWSSigner(authority: year).sign(SigningFixture.transaction)
    // One verifier: what it keeps of the chain must not keep the answer of one time for another.
    let verifier = JWSVerifier(trust: authority.trust)
    func failure(at milliseconds: Int64) -> VerificationFailure? {
      SigningFixture.failure(of: jws.string, by: verifier, at: milliseconds)
    }
    #expect(failure(at: 1_735_689_599_999) == .invalidCertificateChain)
    #expect(failure(at: 1_735_689_600_000) == nil)
    #expect(failure(at: 1_767_225_599_999) == nil)
    #expect(failure(at: 1_767_225_600_000) == .invalidCertificateChain)
    #expect(failure(at: .min) == .invalidCertificateChain)
    #expect(failure(at: .max) == .invalidCertificateChain)
  }

  @Test func theStandardLeafHoldsAtEveryTimeOfAWorld() throws {
    let verifier = JWSVerifier(trust: authority.trust)
    for milliseconds in [0, SigningFixture.signedDate, 253_402_300_799_999] {
      #expect(SigningFixture.failure(of: jws.string, by: verifier, at: milliseconds) == nil)
    }
  }

  @Test func aRevokedLeafIsRevokedCertificateAndOthersAreNot() throws {
    let other = try authority.issuingLeaf(world: "w1")
    var trust = authority.trust
    trust.revokedSerials = [try other.leafSerial()]
    let verifier = JWSVerifier(trust: trust)
    let revoked = try JWSSigner(authority: other).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: revoked.string, by: verifier) == .revokedCertificate)
    #expect(SigningFixture.failure(of: jws.string, by: verifier) == nil)
  }

  @Test func answersStayTheSameWhenTheCacheOverflows() throws {
    let verifier = JWSVerifier(trust: authority.trust, cacheCapacity: 2)
    let texts = try (0..<5).map { _ in
      try JWSSigner(authority: authority.issuingLeaf(world: "w1")).sign(SigningFixture.transaction).string
    }
    let foreign = try JWSSigner(authority: CertificateAuthority(world: "w2")).sign(SigningFixture.transaction).string
    for _ in 0..<3 {
      for text in texts { #expect(SigningFixture.failure(of: text, by: verifier) == nil) }
      #expect(SigningFixture.failure(of: foreign, by: verifier) == .invalidCertificateChain)
      #expect(SigningFixture.failure(of: foreign, by: verifier) == .invalidCertificateChain)
    }
  }

  @Test func everyChangedCharacterIsNoticed() throws {
    let verifier = JWSVerifier(trust: authority.trust)
    let text = Array(jws.string.utf8)
    var random = SeededGenerator(seed: 2)
    for index in stride(from: 0, to: text.count, by: 7) {
      var changed = text
      repeat { changed[index] = UInt8.random(in: 33...126, using: &random) } while changed[index] == text[index]
      #expect(SigningFixture.failure(of: String(decoding: changed, as: UTF8.self), by: verifier) != nil)
    }
  }

  @Test func randomBytesAreRefusedAndNeverCrash() throws {
    let verifier = JWSVerifier(trust: authority.trust)
    var random = SeededGenerator(seed: 3)
    func bytes(_ limit: Int) -> Data {
      Data((0..<Int.random(in: 0...limit, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    for _ in 0..<500 {
      let raw = bytes(200)
      #expect(throws: VerificationFailure.self) { try verifier.verify(CompactJWS(raw), at: SigningFixture.signedDate) }
      let encoded = [bytes(200), bytes(200), bytes(80)].map(Base64URL.encode).joined(separator: ".")
      #expect(SigningFixture.failure(of: encoded, by: verifier) == .invalidEncoding)
    }
    // Damage inside the DER, past the encodings: each of these reaches OpenSSL's parser.
    for index in 0..<1500 {
      var chain = authority.chain
      let target = Int.random(in: 0...2, using: &random)
      let position = Int.random(in: 0..<chain[target].count, using: &random)
      if index % 3 == 0 {
        chain[target] = chain[target].prefix(position) + bytes(8)
      } else {
        chain[target][position] ^= UInt8.random(in: 1...255, using: &random)
      }
      #expect(try failure(withHeader: .appStore(chain: chain)) != nil)
    }
  }

  @Test func eightTasksSignAndVerifyAtOnce() async throws {
    let signer = try JWSSigner(authority: authority)
    let verifier = JWSVerifier(trust: authority.trust)
    let signatures = try await withThrowingTaskGroup(of: [Data].self) { group in
      for task in 0..<8 {
        group.addTask { @concurrent in
          try (0..<100).map { count in
            let payload = Data(#"{"task":\#(task),"count":\#(count)}"#.utf8)
            let jws = try signer.sign(payload)
            let read = try verifier.verify(jws.string, at: SigningFixture.signedDate)
            #expect(read.payloadData == payload)
            return read.signatureData
          }
        }
      }
      return try await group.reduce(into: Set<Data>()) { $0.formUnion($1) }
    }
    #expect(signatures.count == 800)
  }

  /// What verification ends with when the payload is signed under this header.
  private func failure(withHeader header: JWSHeader, key: OpenSSLKey? = nil) throws -> VerificationFailure? {
    // The signature of the true leaf over another header is not one over this header.
    guard let key else {
      let encoded = Base64URL.encode(try header.json())
      let parts = SigningFixture.parts(jws)
      return SigningFixture.failure(of: [encoded, parts[1], parts[2]].joined(separator: "."), trust: authority.trust)
    }
    let jws = try JWSSigner(key: key, header: header).sign(SigningFixture.transaction)
    return SigningFixture.failure(of: jws.string, trust: authority.trust)
  }
}
