/// What an iterator of an app gets.
package enum StreamElement: Hashable, Sendable {
  case transaction(SignedTransaction)
  case status(SignedStatus)
}
