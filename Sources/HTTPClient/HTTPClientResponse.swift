package import Foundation

/// What a server answered.
package struct HTTPClientResponse: Hashable, Sendable {
  package let status: Int
  package let body: Data
}
