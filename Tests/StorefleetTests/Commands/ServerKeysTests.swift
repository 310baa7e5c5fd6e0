import Foundation
import Shared
import Testing
import Wire

@testable import storefleet

struct ServerKeysTests {
  private func keys(_ environment: String = "Sandbox", http: String? = "http://127.0.0.1:8080") throws -> ServerKeys {
    let identity = StoreIdentity(bundleId: "com.example.app", environment: environment)
    let key = try APIKey.generate()
    return try ServerKeys(
      DescribeAPIKeys.Reply(
        keyId: key.id, issuerId: key.issuer, privateKey: try key.privateKeyPEM(), bundleId: identity.bundleId,
        environment: environment, appAppleId: identity.appAppleId,
        rootCertificate: try CertificateAuthority(world: "w").rootDER, http: http), world: "w")
  }

  @Test func everyLanguageIsToldTheBaseTheKeyAndTheRoot() throws {
    let keys = try keys()
    let files = ServerKeys.Files(keys, folder: "./keys/")
    let lines = LibraryLines(keys, files).byLanguage
    #expect(Set(lines.keys) == ["python", "node", "swift", "java"])
    for (language, text) in lines {
      for needed in [
        "http://127.0.0.1:8080/w/sandbox", keys.reply.keyId, keys.reply.issuerId, files.privateKey, files.rootDER,
      ] {
        #expect(text.contains(needed), "\(language) is not told \(needed)")
      }
    }
  }

  @Test func productionHasItsOwnBaseAndTheAppsNumber() throws {
    let keys = try keys("Production")
    let number = try #require(keys.reply.appAppleId)
    for text in LibraryLines(keys, ServerKeys.Files(keys, folder: ".")).byLanguage.values {
      #expect(text.contains("/w/production") && text.contains("\(number)"))
    }
  }

  @Test func withoutHTTPThereIsNoURL() throws {
    let keys = try keys(http: nil)
    #expect(keys.ownURL == nil)
    #expect(keys.text(files: nil).contains("started without --http"))
  }

  @Test func theRootIsTheSameInBothForms() throws {
    let keys = try keys()
    let body = keys.rootPEM.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    #expect(Data(base64Encoded: body) == keys.reply.rootCertificate)
  }
}
