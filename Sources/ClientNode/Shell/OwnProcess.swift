import Foundation
import Glibc
import Launch

/// The process of one app, which ends with it.
package struct OwnProcess: Sendable {
  private let file: String
  private let lastEnd: String?

  /// - Parameters:
  ///   - folder: where word for the next process is left.
  ///   - lastEnd: how the process before ended; nil at the first start.
  package init(folder: String, lastEnd: String?) {
    file = folder + "/unanswered.json"
    self.lastEnd = lastEnd
  }

  /// What the process before could not answer any more.
  func takeUnanswered() -> UnansweredRequests {
    // Word that is no word is as good as none: whoever asked asks again.
    let word = try? JSONDecoder().decode(UnansweredRequests.self, from: Data(contentsOf: URL(filePath: file)))
    var unanswered = word ?? UnansweredRequests()
    unanswered.lastEnd = lastEnd
    return unanswered
  }

  func leave(_ unanswered: UnansweredRequests) {
    if unanswered == UnansweredRequests() {
      unlink(file)
    } else {
      try? PrivateFile.write(JSONEncoder().encode(unanswered), to: file)
    }
  }

  /// As the system ends an app: nothing of it runs any more, nothing is saved.
  func end() { kill(getpid(), SIGKILL) }
}
