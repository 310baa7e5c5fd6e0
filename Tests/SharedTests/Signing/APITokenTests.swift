import Foundation
import Testing

@testable import Shared

@Suite struct APITokenTests {
  private let key: APIKey
  private let verifier: APITokenVerifier
  private let now: Double = 1_748_736_000

  init() throws {
    key = try APIKey.generate()
    verifier = APITokenVerifier(key: key, bundleId: "com.example.app")
  }

  private func claims() -> APITokenClaims {
    APITokenClaims(iss: key.issuer, iat: now - 10, exp: now + 290, aud: ["appstoreconnect-v1"], bid: "com.example.app")
  }

  /// Why a token with changed claims is refused, nil if it is accepted.
  private func refusal(_ change: (inout APITokenClaims) -> Void) throws -> APITokenRefusal? {
    var claims = claims()
    change(&claims)
    return refusal(of: try key.token(claims))
  }

  private func refusal(of token: String) -> APITokenRefusal? {
    do throws(APITokenRefusal) {
      _ = try verifier.verify(token, at: now)
      return nil
    } catch { return error }
  }

  /// Why a token is refused whose payload is this text.
  private func refusal(payload: String, header: JWSHeader? = nil) throws -> APITokenRefusal? {
    refusal(of: try key.token(payload: Data(payload.utf8), header: header))
  }

  @Test func tokensAreAcceptedAsAppleDescribesThem() throws {
    let token = try key.token(bundleId: "com.example.app", issuedAt: Int64(now), expiresAt: Int64(now) + 300)
    #expect(try verifier.verify(token, at: now).bid == "com.example.app")
    #expect(APITokenVerifier.keyId(of: token) == key.id)
    // From exactly 60 minutes, and from clocks that are a little ahead.
    #expect(try refusal { ($0.iat, $0.exp) = (now, now + 3600) } == nil)
    #expect(try refusal { $0.iat = now + 60 } == nil)
    #expect(try refusal { $0.aud = ["other", "appstoreconnect-v1"] } == nil)
    let fraction =
      #"{"iss":"\#(key.issuer)","iat":1748735999.5,"exp":1748736000.5,"aud":"appstoreconnect-v1","bid":"com.example.app"}"#
    #expect(try refusal(payload: fraction) == nil)
  }

  @Test func eachClaimIsChecked() throws {
    #expect(try refusal { $0.iss = UUID().uuidString.lowercased() } == .wrongIssuer)
    #expect(try refusal { $0.aud = ["appstoreconnect-v2"] } == .wrongAudience)
    #expect(try refusal { $0.aud = [] } == .wrongAudience)
    #expect(try refusal { $0.bid = "com.example.other" } == .wrongBundle("com.example.other"))
    #expect(try refusal { $0.iat = now + 61 } == .issuedInTheFuture)
    #expect(try refusal { $0.exp = now } == .expired)
    #expect(try refusal { $0.exp = now - 1 } == .expired)
    #expect(try refusal { ($0.iat, $0.exp) = (now - 1, now + 3600) } == .livesTooLong)
    #expect(try refusal { ($0.iat, $0.exp) = (0, now + 10) } == .livesTooLong)
  }

  @Test func tokensWithoutATimeOfIssueAreAcceptedForAnHour() throws {
    #expect(try refusal { $0.iat = nil } == nil)
    #expect(try refusal { ($0.iat, $0.exp) = (nil, now + 3_660) } == nil)
    #expect(try refusal { ($0.iat, $0.exp) = (nil, now + 3_661) } == .livesTooLong)
    #expect(try refusal { ($0.iat, $0.exp) = (nil, now) } == .expired)
    let payload = #"{"iss":"\#(key.issuer)","iat":"x","exp":\#(Int64(now) + 9),"aud":"appstoreconnect-v1","bid":"b"}"#
    #expect(try refusal(payload: payload) == .missingClaim("iat"))
  }

  @Test(arguments: ["iss", "exp", "aud", "bid"])
  func claimsThatAreMissingOrOfAnotherTypeAreNamed(name: String) throws {
    let encoded = try JSONEncoder().encode(claims())
    var object = try #require(JSONSerialization.jsonObject(with: encoded) as? [String: Any])
    for value: Any? in [nil, [String: String](), true, NSNull()] {
      object[name] = value
      let payload = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
      #expect(try refusal(payload: payload) == .missingClaim(name), "\(payload)")
    }
  }

  @Test func headersAreChecked() throws {
    let payload = String(decoding: try JSONEncoder().encode(claims()), as: UTF8.self)
    func header(_ alg: String, _ kid: String?, _ typ: String?, crit: [String]? = nil) -> JWSHeader {
      JWSHeader(alg: alg, kid: kid, typ: typ, x5c: nil, crit: crit)
    }
    #expect(try refusal(payload: payload, header: header("none", key.id, "JWT")) == .wrongHeader)
    #expect(try refusal(payload: payload, header: header("HS256", key.id, "JWT")) == .wrongHeader)
    #expect(try refusal(payload: payload, header: header("ES256", key.id, nil)) == .wrongHeader)
    #expect(try refusal(payload: payload, header: header("ES256", key.id, "JWT", crit: ["b64"])) == .wrongHeader)
    #expect(try refusal(payload: payload, header: header("ES256", nil, "JWT")) == .wrongKey(kid: ""))
    #expect(try refusal(payload: payload, header: header("ES256", "OTHERKEYID", "JWT")) == .wrongKey(kid: "OTHERKEYID"))
  }

  @Test func anotherKeyOfTheSameNameDoesNotSign() throws {
    let other = APIKey(id: key.id, issuerId: key.issuerId, key: try .generate())
    #expect(refusal(of: try other.token(claims())) == .wrongSignature)
  }

  @Test func changedTokensAreRefused() throws {
    let token = try key.token(claims())
    let parts = token.components(separatedBy: ".")
    let otherPayload = try key.token(bundleId: "com.example.app", issuedAt: 0, expiresAt: Int64(now) + 9)
      .components(separatedBy: ".")[1]
    #expect(refusal(of: "\(parts[0]).\(otherPayload).\(parts[2])") == .wrongSignature)
    for text in [
      "", "a", "..", "a.b.c", parts[0], "\(parts[0]).\(parts[1])", token + "=", token + ".e30", " " + token,
      String(repeating: "a", count: 100_000), "\(parts[0]).\(parts[1]).", "e30.e30.e30",
    ] {
      #expect(refusal(of: text) != nil && refusal(of: text) != .wrongSignature, "\(text.prefix(40))")
    }
    #expect(refusal(of: "\(parts[0]).\(parts[1]).AAAA") == .wrongSignature)
  }

  @Test func absurdNumbersAreRefusedAndDoNotTrap() throws {
    for number in ["1e300", "-1e300", "9223372036854775807", "18446744073709551616", "1e400"] {
      for (iat, exp) in [(number, "1748736100"), ("1748736000", number), (number, number)] {
        let payload =
          #"{"iss":"\#(key.issuer)","iat":\#(iat),"exp":\#(exp),"aud":"appstoreconnect-v1","bid":"com.example.app"}"#
        #expect(try refusal(payload: payload) != nil, "\(payload)")
      }
    }
  }

  @Test func acceptedTokensAreRememberedUntilTheyExpire() throws {
    let gate = APITokenGate(verifier)
    let token = try key.token(claims())
    try gate.check(token, at: now)
    try gate.check(token, at: now + 289)
    #expect(throws: APITokenRefusal.expired) { try gate.check(token, at: now + 290) }
    #expect(throws: APITokenRefusal.malformed) { try gate.check(token + "x.", at: now) }
  }

  @Test func theCacheIsBoundedAndForgetsTheOldest() {
    var cache = APITokenCache(capacity: 3)
    for index in 0..<5 { cache.insert(claims(), for: "t\(index)") }
    cache.insert(claims(), for: "t4")
    #expect(cache.count == 3)
    #expect((0..<5).map { cache.find("t\($0)", at: now) != nil } == [false, false, true, true, true])
    #expect(cache.find("t4", at: now + 290) == nil)
  }

  @Test func keysAreKeptInFilesThatOthersCannotRead() throws {
    let folder = try SigningFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("world.p8")
    try key.save(to: file)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let loaded = try APIKey.load(from: file)
    #expect(loaded.id == key.id && loaded.id.count == 10 && loaded.issuerId == key.issuerId)
    #expect(refusal(of: try loaded.token(claims())) == nil)
    for text in ["", "Key ID: short\nIssuer ID: no\n", "Key ID: ABCDEFGHJK\nIssuer ID: \(UUID())\nno key"] {
      try Data(text.utf8).write(to: file)
      #expect(throws: SigningError.self) { try APIKey.load(from: file) }
    }
  }

  @Test func theKeyIsNeverPrinted() throws {
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(text.contains(key.id) && !text.contains("BEGIN"))
    }
  }
}
