import Synchronization

/// What was seen last, for the text of a failure.
final class LastLook: Sendable {
  private let value = Mutex<String?>(nil)

  var text: String? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
