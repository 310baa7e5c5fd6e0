import Foundation
import Testing

@testable import Shared

/// Public reports of verifiers that believed too much.
@Suite struct ChainReportTests {
  let authority: CertificateAuthority

  init() throws { authority = try CertificateAuthority(world: "w1") }

  private func failure(chain: [Data], key: OpenSSLKey) throws -> VerificationFailure? {
    let jws = try JWSSigner(key: key, header: .appStore(chain: chain)).sign(SigningFixture.transaction)
    return SigningFixture.failure(of: jws.string, trust: authority.trust)
  }

  /// An intermediate and a leaf under the world's root, and the leaf's key.
  private func issued(
    intermediate role: CertificateRole, leaf: CertificateRole = .leaf(isMarked: true)
  ) throws -> (chain: [Data], key: OpenSSLKey) {
    let (middleKey, key) = (try OpenSSLKey.generate(), try OpenSSLKey.generate())
    let middle = try OpenSSLCertificate.issue(
      role, world: "w1", key: middleKey, notBefore: 0, notAfter: CertificateAuthority.notAfter,
      issuerDER: authority.rootDER, issuerKey: authority.rootKey
    ).der()
    let last = try OpenSSLCertificate.issue(
      leaf, world: "w1", key: key, notBefore: 0, notAfter: CertificateAuthority.notAfter, issuerDER: middle,
      issuerKey: middleKey
    ).der()
    return ([last, middle, authority.rootDER], key)
  }

  /// tamtamchik/apple-iap-tools#23, vapor/jwt-kit#75.
  @Test func br59OnlyTheRegularChainIsBelieved() throws {
    let good = try issued(intermediate: .intermediate(isMarked: true))
    #expect(try failure(chain: good.chain, key: good.key) == nil)
    #expect(try failure(chain: Array(good.chain.dropLast()), key: good.key) == .invalidCertificateChain)
    #expect(try failure(chain: good.chain + [authority.rootDER], key: good.key) == .invalidCertificateChain)

    let flawed = try [
      issued(intermediate: .intermediate(isMarked: true), leaf: .leaf(isMarked: false)),
      issued(intermediate: .intermediate(isMarked: false)),
      // A leaf that mints children: no CA, whatever its marker.
      issued(intermediate: .leaf(isMarked: true)),
    ]
    for (chain, key) in flawed { #expect(try failure(chain: chain, key: key) == .invalidCertificateChain) }

    // A root of the same name.
    let foreign = try CertificateAuthority(world: "w1")
    #expect(try failure(chain: foreign.chain, key: foreign.leafKey) == .invalidCertificateChain)
    let borrowed = [foreign.leafDER, foreign.intermediateDER, authority.rootDER]
    #expect(try failure(chain: borrowed, key: foreign.leafKey) == .invalidCertificateChain)
  }

  @Test(arguments: ["none", "HS256", "RS256", "es256", ""]) func br59OnlyES256IsBelieved(algorithm: String) throws {
    let header = JWSHeader(alg: algorithm, x5c: authority.chain.map { $0.base64EncodedString() })
    let jws = try JWSSigner(key: authority.leafKey, header: header).sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: jws.string, trust: authority.trust) == .invalidEncoding)
  }

  @Test func br59OnlyARawSignatureOfThisPayloadIsBelieved() throws {
    let signer = try JWSSigner(authority: authority)
    let (one, other) = (try signer.sign(SigningFixture.transaction), try signer.sign(Data(#"{"other":1}"#.utf8)))
    func failure(signature: Data) -> VerificationFailure? {
      let parts = SigningFixture.parts(one).dropLast() + [Base64URL.encode(signature)]
      return SigningFixture.failure(of: parts.joined(separator: "."), trust: authority.trust)
    }
    #expect(failure(signature: one.signatureData) == nil)
    #expect(failure(signature: other.signatureData) == .invalidSignature)
    #expect(failure(signature: der(one.signatureData)) == .invalidSignature)
    #expect(failure(signature: one.signatureData + Data([0])) == .invalidSignature)
    #expect(failure(signature: Data()) != nil)
  }

  /// RFC 7515 §4.1.6: certificates are in standard base64.
  @Test func br59CertificatesInBase64URLAreNone() throws {
    let url = authority.chain.map { Base64URL.encode($0) }
    try #require(zip(url, authority.chain).allSatisfy { $0 != $1.base64EncodedString() })
    let jws = try JWSSigner(key: authority.leafKey, header: JWSHeader(alg: "ES256", x5c: url))
      .sign(SigningFixture.transaction)
    #expect(SigningFixture.failure(of: jws.string, trust: authority.trust) == .invalidCertificateChain)
  }

  /// An ASN.1 sequence of r and s, as other protocols send them.
  private func der(_ raw: Data) -> Data {
    func integer(_ bytes: Data) -> Data {
      var magnitude = Data(bytes.drop { $0 == 0 })
      if magnitude.first.map({ $0 >= 0x80 }) ?? true { magnitude.insert(0, at: 0) }
      return Data([0x02, UInt8(magnitude.count)]) + magnitude
    }
    let content = integer(raw.prefix(32)) + integer(raw.suffix(32))
    return Data([0x30, UInt8(content.count)]) + content
  }
}
