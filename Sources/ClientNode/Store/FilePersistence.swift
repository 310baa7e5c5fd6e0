import Dispatch
import Synchronization

/// Keeps the store in one SQLite file.
package final class FilePersistence: DeviceStorePersistence {
  private struct Waiting: Sendable {
    var write: StoreWrite
    var done: @Sendable (String?) -> Void
  }

  private let queue: DispatchQueue
  private let waiting = Mutex<[Waiting]>([])
  private let path: String
  /// Safe because it is used on `queue` alone.
  private nonisolated(unsafe) var file: DeviceStoreFile?

  /// - Parameter path: its folder is made when it does not exist.
  package init(path: String) {
    self.path = path
    queue = DispatchQueue(label: "device-store")
  }

  package func load() throws(ClientNodeError) -> StoredNode {
    let result = queue.sync {
      Result { () throws(ClientNodeError) in
        let file = try DeviceStoreFile(path: path)
        self.file = file
        return try file.load()
      }
    }
    return try result.get()
  }

  package func save(_ write: StoreWrite, done: @escaping @Sendable (String?) -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(Waiting(write: write, done: done))
      return waiting.count == 1
    }
    if isFirst { queue.async { self.writeWaiting() } }
  }

  package func close() {
    queue.sync {
      writeWaiting()
      file?.close()
      file = nil
    }
  }

  /// What has gathered meanwhile is one commit.
  private func writeWaiting() {
    let batch = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    guard !batch.isEmpty else { return }
    var failure: String?
    do throws(ClientNodeError) {
      guard let file else { throw ClientNodeError(.store, "the local store \(path) is closed") }
      try file.save(batch.map(\.write))
    } catch {
      failure = error.message
    }
    for entry in batch { entry.done(failure) }
  }
}
