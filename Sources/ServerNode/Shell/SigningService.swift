import Dispatch
import Foundation
import Shared
import Synchronization

/// The certificate authorities of the node's worlds, and the signing that they do: on a queue of its own, since a
/// signature takes longer than a message.
final class SigningService: Sendable {
  /// Nil keeps keys in memory, for as long as the node lives.
  let folder: String?
  let queue = DispatchQueue(label: "signing")
  private let signers = Mutex<[String: JWSSigner]>([:])
  /// Nobody trusts it: for copies that must not verify.
  private let foreign = Mutex<JWSSigner?>(nil)
  private let responders = Mutex<[String: OCSPResponder]>([:])
  private let ocspBase: String?

  /// What a node that keeps no files has made, by world.
  private let authorities = Mutex<[String: CertificateAuthority]>([:])
  private let xcodeAuthorities = Mutex<[String: XcodeAuthority]>([:])
  private let offersKeys = Mutex<[String: OffersKey]>([:])
  let apiKeys = Mutex<[String: APIKey]>([:])

  /// Keys are kept in `folder`, a file each, readable by their owner alone; nil keeps them in memory.
  ///
  /// - Parameter ocspBase: Where certificates are asked about; behind it comes `/WORLD`. Nil for nowhere.
  init(folder: String?, ocspBase: String? = nil) {
    self.folder = folder
    self.ocspBase = ocspBase
  }

  /// Where keys are, for a message.
  var place: String { folder ?? "memory" }

  /// Reads the keys of a world, or makes them. `then` gets them on the service's queue.
  func open(
    _ world: String, environment: String, then: @escaping @Sendable (Result<WorldKeys, ServerNodeError>) -> Void
  ) {
    queue.async { [self] in
      then(
        Result { () throws(ServerNodeError) in
          do {
            let root = try openSigner(of: world, environment: environment)
            return WorldKeys(
              rootCertificate: root, offersKey: try offersKey(of: world), apiKey: try apiKey(of: world))
          } catch {
            throw ServerNodeError("the certificate authority of world '\(world)' in \(place) cannot be used: \(error)")
          }
        })
    }
  }

  /// Returns what others trust, in DER: the root, or Xcode's own certificate.
  private func openSigner(of world: String, environment: String) throws -> Data {
    if environment == StoreIdentity.xcode {
      let authority = try xcodeAuthority(of: world)
      let signer = try JWSSigner(authority: authority)
      signers.withLock { $0[world] = signer }
      return authority.certificateDER
    }
    let authority = try authority(of: world)
    let signer = try JWSSigner(authority: authority)
    signers.withLock { $0[world] = signer }
    responders.withLock { $0[world] = OCSPResponder(authority: authority) }
    return authority.rootDER
  }

  private func makeFolder(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// What a world has of a kind: in a file of the folder, or in memory on a node that keeps no files; made where there is
  /// none.
  ///
  /// - Parameter suffix: Of the file, another for each kind, so that no world's name makes one of another kind. World names
  ///   have no slash, so it stays in the folder.
  func kept<Key: Sendable>(
    _ memory: borrowing Mutex<[String: Key]>, of world: String, suffix: String, make: () throws -> Key,
    load: (URL) throws -> Key, save: (Key, URL) throws -> Void
  ) throws -> Key {
    guard let folder else {
      if let known = memory.withLock({ $0[world] }) { return known }
      let made = try make()
      memory.withLock { $0[world] = made }
      return made
    }
    try makeFolder(folder)
    let file = URL(filePath: folder).appending(path: "\(world).\(suffix)")
    if FileManager.default.fileExists(atPath: file.path) { return try load(file) }
    let made = try make()
    try save(made, file)
    return made
  }

  private func authority(of world: String) throws -> CertificateAuthority {
    let ocspURL = ocspBase.map { "\($0)/\(world)" }
    return try kept(authorities, of: world, suffix: "pem") {
      try CertificateAuthority(world: world, ocspURL: ocspURL)
    } load: { file in
      let known = try CertificateAuthority.load(from: file)
      guard let ocspURL, try known.ocspURL() != ocspURL else { return known }
      let moved = try known.moved(toOCSP: ocspURL, world: world)
      try moved.save(to: file)
      return moved
    } save: {
      try $0.save(to: $1)
    }
  }

  private func xcodeAuthority(of world: String) throws -> XcodeAuthority {
    try kept(
      xcodeAuthorities, of: world, suffix: "xcode", make: { try XcodeAuthority() },
      load: { try XcodeAuthority.load(from: $0) }, save: { try $0.save(to: $1) })
  }

  private func offersKey(of world: String) throws -> OffersKey {
    try kept(offersKeys, of: world, suffix: "offers") {
      try OffersKey.generate(id: SigningService.offersKeyId)
    } load: { file in
      let pem = try KeyFile.read(file, operation: "load an offers key from \(file.path)")
      return try OffersKey(id: SigningService.offersKeyId, privateKey: String(decoding: pem, as: UTF8.self))
    } save: { key, file in
      try KeyFile.write(
        Data(try key.privateKeyPEM().utf8), to: file, operation: "save an offers key to \(file.path)")
    }
  }

  /// Of every world's own key: as long as Apple's key ids are.
  private static let offersKeyId = "STOREFLEET"

  /// Nil for a world that is not open.
  func answerOCSP(_ request: Data, for world: String) throws(ServerNodeError) -> Data? {
    guard let responder = responders.withLock({ $0[world] }) else { return nil }
    do { return try responder.respond(to: request) } catch {
      throw ServerNodeError("the certificates of world '\(world)' cannot be vouched for: \(error)")
    }
  }

  /// Signs on the caller's thread, for a world that is open.
  func sign(_ payload: Data, for world: String) throws(ServerNodeError) -> Data {
    guard let signer = signers.withLock({ $0[world] }) else {
      throw ServerNodeError("world '\(world)' has no certificate authority")
    }
    do { return try signer.sign(payload).bytes } catch {
      throw ServerNodeError("signing for world '\(world)' failed: \(error)")
    }
  }

  /// Signs all jobs in order; `then` gets the compact JWS of each, on the service's queue.
  func sign(
    _ jobs: [SigningJob], world: String, then: @escaping @Sendable (Result<[Data], ServerNodeError>) -> Void
  ) {
    queue.async { [self] in
      then(
        Result { () throws(ServerNodeError) in
          do {
            return try jobs.map { job in
              let own = signers.withLock { $0[world] }
              guard let signer = job.underForeignRoot ? try foreignSigner() : own else {
                throw ServerNodeError("world '\(world)' has no certificate authority")
              }
              return try job.signed(by: signer)
            }
          } catch {
            throw ServerNodeError("signing for world '\(world)' failed: \(error)")
          }
        })
    }
  }

  private func foreignSigner() throws -> JWSSigner {
    if let known = foreign.withLock({ $0 }) { return known }
    let made = try JWSSigner(authority: try CertificateAuthority(world: "foreign"))
    foreign.withLock { $0 = made }
    return made
  }
}
