/// Why an account cannot be in a state.
package struct ImpossibleState: Error, Sendable, Hashable {
  /// One sentence.
  package var message: String
}
