import Dispatch
import Foundation
import Shared
import Synchronization

/// The certificate authorities of the node's worlds, and the signing that they do: on a queue of its own, since a
/// signature takes longer than a message.
final class SigningService: Sendable {
  private let home: String
  private let folder: String
  private let queue = DispatchQueue(label: "signing")
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

  /// Reads the authority of a world, or makes it. `then` gets its root certificate, DER, on the service's queue.
  func open(_ world: String, then: @escaping @Sendable (Result<Data, ServerNodeError>) -> Void) {
    queue.async { [self] in
      then(
        Result { () throws(ServerNodeError) in
          do {
            let authority = try authority(of: world)
            let signer = try JWSSigner(authority: authority)
            signers.withLock { $0[world] = signer }
            return authority.rootDER
          } catch {
            throw ServerNodeError("the certificate authority of world '\(world)' in \(folder) cannot be used: \(error)")
          }
        })
    }
  }

  private func authority(of world: String) throws -> CertificateAuthority {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // World names have no slash, so this stays in the folder.
    let file = URL(filePath: folder).appending(path: "\(world).pem")
    if FileManager.default.fileExists(atPath: file.path) { return try CertificateAuthority.load(from: file) }
    let authority = try CertificateAuthority(world: world)
    try authority.save(to: file)
    return authority
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
              return try signer.sign(try job.payload()).bytes
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
