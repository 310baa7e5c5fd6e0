/// Where a text stops being JSON, in words that fit "found …, expected …".
struct JSONSyntaxError: Error, Equatable {
  let position: SourcePosition
  let found: String
  let expected: String
}
