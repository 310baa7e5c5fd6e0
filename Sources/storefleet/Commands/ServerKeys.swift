import Foundation
import Shared
import Wire

/// What a developer's server has to know of a world.
struct ServerKeys {
  /// Where the files are that libraries read.
  struct Files: Codable {
    var privateKey: String
    var rootDER: String
    var rootPEM: String

    init(_ keys: ServerKeys, folder: String) {
      let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
      privateKey = "\(folder)/SubscriptionKey_\(keys.reply.keyId).p8"
      rootDER = "\(folder)/storefleet-root.der"
      rootPEM = "\(folder)/storefleet-root.pem"
    }
  }

  let world: String
  let reply: DescribeAPIKeys.Reply
  let rootPEM: String

  init(_ reply: DescribeAPIKeys.Reply, world: String) throws(SigningError) {
    self.reply = reply
    self.world = world
    rootPEM = try CertificateAuthority.pem(ofCertificate: reply.rootCertificate)
  }

  var productionURL: String? { reply.http.map { "\($0)/\(world)/production" } }
  var sandboxURL: String? { reply.http.map { "\($0)/\(world)/sandbox" } }

  /// The base at which this world's transactions are found.
  var ownURL: String? { reply.environment == "Production" ? productionURL : sandboxURL }

  func text(files: Files?) -> String {
    let note = files == nil ? "The lines below read files that 'storefleet keys --out .' writes.\n" : ""
    let files = files ?? Files(self, folder: ".")
    return """
      World '\(world)': \(reply.bundleId), environment \(reply.environment)
      production  \(productionURL ?? "-: the server node was started without --http")
      sandbox     \(sandboxURL ?? "-")
      key id      \(reply.keyId)
      issuer id   \(reply.issuerId)
      bundle id   \(reply.bundleId)\(reply.appAppleId.map { "\napp id      \($0)" } ?? "")

      The private key, \(files.privateKey):
      \(reply.privateKey)
      The root certificate, \(files.rootPEM), or as DER \(files.rootDER):
      \(rootPEM)
      \(note)\(LibraryLines(self, files).text)
      """
  }
}

/// The same for scripts.
struct ServerKeysReport: Codable {
  var world: String
  var bundleId: String
  var environment: String
  var appAppleId: Int64?
  var keyId: String
  var issuerId: String
  var privateKey: String
  var rootCertificateDER: Data
  var rootCertificatePEM: String
  var productionURL: String?
  var sandboxURL: String?
  /// With --out.
  var files: ServerKeys.Files?
  /// How Apple's libraries are told, by language.
  var lines: [String: String]

  init(_ keys: ServerKeys, files: ServerKeys.Files?) {
    world = keys.world
    bundleId = keys.reply.bundleId
    environment = keys.reply.environment
    appAppleId = keys.reply.appAppleId
    keyId = keys.reply.keyId
    issuerId = keys.reply.issuerId
    privateKey = keys.reply.privateKey
    rootCertificateDER = keys.reply.rootCertificate
    rootCertificatePEM = keys.rootPEM
    productionURL = keys.productionURL
    sandboxURL = keys.sandboxURL
    self.files = files
    lines = LibraryLines(keys, files ?? ServerKeys.Files(keys, folder: ".")).byLanguage
  }
}
