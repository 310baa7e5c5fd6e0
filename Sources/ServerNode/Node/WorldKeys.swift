package import Foundation
package import Shared

/// What a node keeps of a world's keys once they are open.
package struct WorldKeys: Sendable {
  /// Of the world's certificate authority, DER.
  package var rootCertificate: Data
  /// The world's own; a catalogue with a key pair brings another.
  package var offersKey: OffersKey
  /// With which the developer's server calls the App Store Server API.
  package var apiKey: APIKey?

  package init(rootCertificate: Data, offersKey: OffersKey, apiKey: APIKey? = nil) {
    self.rootCertificate = rootCertificate
    self.offersKey = offersKey
    self.apiKey = apiKey
  }
}
