import Dispatch
import Foundation
import Shared
import Synchronization

/// The certificate authorities of the node's worlds, and the signing that they do: on a queue of its own, since a
/// signature takes longer than a message.
final class SigningService: Sendable {
  private let home: String
  let folder: String
  let queue = DispatchQueue(label: "signing")
  private let signers = Mutex<[String: JWSSigner]>([:])
  /// Nobody trusts it: for copies that must not verify.
  private let foreign = Mutex<JWSSigner?>(nil)

  /// Authorities are kept in `subfolder` of `folder`, one file a world, readable by their owner alone.
  init(folder: String, subfolder: String) {
    home = folder
    self.folder = folder + "/" + subfolder
  }

  /// For a node that keeps nothing. Waits for signatures that are being made.
  func removeFolder() {
    queue.sync { try? FileManager.default.removeItem(atPath: home) }
  }

  /// Reads the keys of a world, or makes them. `then` gets them on the service's queue.
  func open(_ world: String, then: @escaping @Sendable (Result<WorldKeys, ServerNodeError>) -> Void) {
    queue.async { [self] in
      then(
        Result { () throws(ServerNodeError) in
          do {
            let authority = try authority(of: world)
            let signer = try JWSSigner(authority: authority)
            signers.withLock { $0[world] = signer }
            return WorldKeys(rootCertificate: authority.rootDER, offersKey: try offersKey(of: world))
          } catch {
            throw ServerNodeError("the certificate authority of world '\(world)' in \(folder) cannot be used: \(error)")
          }
        })
    }
  }

  func makeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func authority(of world: String) throws -> CertificateAuthority {
    try makeFolder()
    // World names have no slash, so this stays in the folder.
    let file = URL(filePath: folder).appending(path: "\(world).pem")
    if FileManager.default.fileExists(atPath: file.path) { return try CertificateAuthority.load(from: file) }
    let authority = try CertificateAuthority(world: world)
    try authority.save(to: file)
    return authority
  }

  /// Needs the folder, which ``authority(of:)`` makes.
  private func offersKey(of world: String) throws -> OffersKey {
    // Authorities end in `.pem`, so that no world's name makes one of these.
    let file = URL(filePath: folder).appending(path: "\(world).offers")
    if FileManager.default.fileExists(atPath: file.path) {
      let pem = try KeyFile.read(file, operation: "load an offers key from \(file.path)")
      return try OffersKey(id: SigningService.offersKeyId, privateKey: String(decoding: pem, as: UTF8.self))
    }
    let key = try OffersKey.generate(id: SigningService.offersKeyId)
    try KeyFile.write(
      Data(try key.privateKeyPEM().utf8), to: file, operation: "save an offers key to \(file.path)")
    return key
  }

  /// Of every world's own key: as long as Apple's key ids are.
  private static let offersKeyId = "STOREFLEET"

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
