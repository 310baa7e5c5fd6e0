import ServerNode
import Wire

extension JournalWriter {
  func start() async throws -> JournalRecovery {
    try await withCheckedContinuation { continuation in
      start { result in continuation.resume(returning: result) }
    }
    .get()
  }

  func append(_ append: JournalAppend) async throws -> JournalAppendResult {
    try await withCheckedContinuation { continuation in
      self.append(append) { result in continuation.resume(returning: result) }
    }
    .get()
  }

  func load(_ actor: ActorAddress) async throws -> StoredActor {
    try await withCheckedContinuation { continuation in
      load(actor) { result in continuation.resume(returning: result) }
    }
    .get()
  }
}
