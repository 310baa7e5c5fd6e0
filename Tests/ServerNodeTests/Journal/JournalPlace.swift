import ServerNode

/// One place where a journal is kept, which tests open, close and open again.
final class JournalPlace {
  private let folder = JournalTestFolder()
  private let memory = InMemoryJournal()
  private let backend: JournalBackend

  init(_ backend: JournalBackend) { self.backend = backend }

  /// Not recovered yet.
  func open() throws -> any Journal {
    switch backend {
    case .memory: memory
    case .sqlite: try SQLiteJournal(folder: folder.path)
    }
  }

  func recovered() throws -> any Journal {
    let journal = try open()
    _ = try journal.recover()
    return journal
  }
}
