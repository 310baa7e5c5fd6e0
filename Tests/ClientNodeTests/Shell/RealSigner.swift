import Foundation
import Shared
import Wire

/// Signs as a world's server does, as far as the phone's checks go.
struct RealSigner: Sendable {
  let authority: CertificateAuthority
  private let signer: JWSSigner
  private let foreign: JWSSigner

  private struct Payload: Codable {
    var signedDate: Int64
    var bundleId: String
    var environment: String
    var deviceVerification: String?
    var deviceVerificationNonce: String?
  }

  init() throws {
    authority = try CertificateAuthority(world: FakeStore.world)
    signer = try JWSSigner(authority: authority)
    foreign = try JWSSigner(authority: try CertificateAuthority(world: "elsewhere"))
  }

  func sign(_ copy: WantedCopy, _ fault: TamperCopies.Fault?) -> String {
    let verification = copy.deviceVerificationId.flatMap { try? DeviceVerification(nonce: UUID(), deviceID: $0) }
    let payload = Payload(
      signedDate: 1_700_000_000_000, bundleId: fault == .wrongBundle ? "com.example.other" : "com.example.app",
      environment: "Sandbox", deviceVerification: verification?.digest.base64EncodedString(),
      deviceVerificationNonce: verification?.nonce.uuidString.lowercased())
    let signer = fault == .foreignRoot ? foreign : signer
    return (try? signer.sign(WireJSON.encode(payload)).string) ?? ""
  }
}
