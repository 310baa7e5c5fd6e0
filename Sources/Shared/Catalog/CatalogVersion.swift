/// The format version of a StoreKit configuration file: 1.0 to 5.0 are known.
package struct CatalogVersion: Sendable, Hashable, Codable, CustomStringConvertible {
  package let major: Int
  package let minor: Int

  package init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  package var description: String { "\(major).\(minor)" }
}
