import Foundation
import Shared

/// The payload and the small tools that the signing tests share.
enum SigningFixture {
  /// 2025-06-01T00:00:00Z in milliseconds.
  static let signedDate: Int64 = 1_748_736_000_000

  static let transaction = Data(
    """
    {"bundleId":"com.example.app","environment":"Sandbox","inAppOwnershipType":"PURCHASED",\
    "originalTransactionId":"2000000000000001","productId":"com.example.app.lifetime",\
    "purchaseDate":1748735990000,"signedDate":1748736000000,"transactionId":"2000000000000001",\
    "type":"Non-Consumable"}
    """.utf8)

  /// What verification ends with: nil if the data is believed.
  static func failure(
    of text: String, trust: TrustStore, at milliseconds: Int64 = signedDate
  ) -> VerificationFailure? {
    failure(of: text, by: JWSVerifier(trust: trust), at: milliseconds)
  }

  /// What verification ends with: nil if the data is believed.
  static func failure(
    of text: String, by verifier: JWSVerifier, at milliseconds: Int64 = signedDate
  ) -> VerificationFailure? {
    do throws(VerificationFailure) {
      try verifier.verify(text, at: milliseconds)
      return nil
    } catch {
      return error
    }
  }

  /// The three parts of a compact JWS.
  static func parts(_ jws: CompactJWS) -> [String] { jws.string.components(separatedBy: ".") }

  /// A folder of its own for one test, which the test removes.
  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("signing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// SplitMix64: the same seed gives the same bytes on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
