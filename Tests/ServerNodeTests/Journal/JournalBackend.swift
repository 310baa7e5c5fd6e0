/// What the conformance tests run over.
enum JournalBackend: CaseIterable, Sendable {
  case memory
  case sqlite
}
