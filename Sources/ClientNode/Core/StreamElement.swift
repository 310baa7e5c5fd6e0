/// What an iterator of an app gets.
package enum StreamElement: Hashable, Sendable {
  case transaction(SignedTransaction)
  case status(SignedStatus)
  /// ISO 3166-1 alpha-3.
  case storefront(String)
}
