/// Where a text stops being JSON, in words that fit "found …, expected …".
package struct JSONSyntaxError: Error, Equatable {
  package let position: SourcePosition
  package let found: String
  package let expected: String
}
