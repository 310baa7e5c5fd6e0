import Foundation
import Shared

/// A compact JWS as it came from the store, well-formed or not.
struct SignedData: Hashable, Sendable {
  let text: String

  /// Nil when the text is no JWS: then its parts read as empty.
  private var parts: CompactJWS? { try? CompactJWS(text) }

  var headerData: Data { parts?.headerData ?? Data() }
  var payloadData: Data { parts?.payloadData ?? Data() }
  var signatureData: Data { parts?.signatureData ?? Data() }
  var signedData: Data { parts?.signedData ?? Data() }
  var signature: P256.Signing.ECDSASignature { P256.Signing.ECDSASignature(rawRepresentation: signatureData) }

  /// The payload; nil when it cannot be read as one of this type.
  func payload<Payload: Decodable>(as type: Payload.Type) -> Payload? {
    parts.flatMap { try? SignedPayload.decode(type, from: $0.payloadData) }
  }
}
