import Foundation
import Shared
import Testing

@testable import ServerNode

@Suite struct SigningServiceTests {
  @Test func keysAreTheirOwnersAlone() async throws {
    let folder = JournalTestFolder()
    let service = SigningService(folder: folder.path + "/authorities")
    let root = await withCheckedContinuation { continuation in
      service.open("w", environment: "Sandbox") { continuation.resume(returning: $0) }
    }
    #expect(try !root.get().rootCertificate.isEmpty)
    for file in ["w.pem", "w.offers"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/authorities/" + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func aWorldOfXcodeHasOneCertificateWhichStaysTheSame() async throws {
    let folder = JournalTestFolder()
    var roots: Set<Data> = []
    for place in [folder.path + "/authorities", folder.path + "/authorities", nil] {
      let service = SigningService(folder: place)
      for _ in 0..<2 {
        let opened = await withCheckedContinuation { continuation in
          service.open("w", environment: "Xcode") { continuation.resume(returning: $0) }
        }
        let root = try opened.get().rootCertificate
        roots.insert(root)
        let copy = try CompactJWS(try service.sign(Data("{}".utf8), for: "w"))
        try JWSVerifier(trust: TrustStore(anchor: root, environment: "Xcode")).verify(copy, at: 0)
      }
      #expect(try service.answerOCSP(Data(), for: "w") == nil)
    }
    #expect(roots.count == 2, "one on disk, one in memory")
    let file = folder.path + "/authorities/w.xcode"
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
  }

  @Test func aNodeThatKeepsNothingHasItsKeysInMemory() async throws {
    let service = SigningService(folder: nil)
    var roots: [Data] = []
    for _ in 0..<2 {
      let opened = await withCheckedContinuation { continuation in
        service.open("w", environment: "Sandbox") { continuation.resume(returning: $0) }
      }
      roots.append(try opened.get().rootCertificate)
    }
    #expect(roots[0] == roots[1])
  }

  @Test func worldsKeysStayTheSame() async throws {
    let folder = JournalTestFolder()
    var keys: [WorldKeys] = []
    for _ in 0..<2 {
      let service = SigningService(folder: folder.path + "/authorities")
      let opened = await withCheckedContinuation { continuation in
        service.open("w", environment: "Sandbox") { continuation.resume(returning: $0) }
      }
      keys.append(try opened.get())
    }
    #expect(keys[0].rootCertificate == keys[1].rootCertificate)
    #expect(try keys[0].offersKey.privateKeyPEM() == keys[1].offersKey.privateKeyPEM())
  }

  @Test func theAPIKeyIsMadeWithTheWorldAndStaysTheSame() async throws {
    let folder = JournalTestFolder()
    let file = folder.path + "/authorities/w.p8"
    var ids: [String] = []
    for _ in 0..<2 {
      let service = SigningService(folder: folder.path + "/authorities")
      let opened = await withCheckedContinuation { continuation in
        service.open("w", environment: "Sandbox") { continuation.resume(returning: $0) }
      }
      ids.append(try #require(try opened.get().apiKey).id)
      let key = await withCheckedContinuation { continuation in
        service.openAPIKey(of: "w") { continuation.resume(returning: $0) }
      }
      ids.append(try key.get().id)
    }
    #expect(Set(ids).count == 1)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
  }

  @Test func certificatesNameTheResponderOfThisRunUnderTheSameRoot() async throws {
    let folder = JournalTestFolder()
    var roots: Set<Data> = []
    let file = URL(filePath: folder.path + "/authorities/w.pem")
    for base in [nil, "http://127.0.0.1:1/ocsp", "http://127.0.0.1:2/ocsp", nil] {
      let service = SigningService(folder: folder.path + "/authorities", ocspBase: base)
      let opened = await withCheckedContinuation { continuation in
        service.open("w", environment: "Sandbox") { continuation.resume(returning: $0) }
      }
      roots.insert(try opened.get().rootCertificate)
      if let base { #expect(try CertificateAuthority.load(from: file).ocspURL() == base + "/w") }
      #expect(try service.answerOCSP(Data(), for: "w") != nil)
      #expect(try service.answerOCSP(Data(), for: "v") == nil)
    }
    #expect(roots.count == 1)
  }
}
