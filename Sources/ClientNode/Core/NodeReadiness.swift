/// What a node waits for before it is ready: whoever starts one that launches its apps goes on to use them.
struct NodeReadiness: Sendable {
  /// Whether the server knew every device once.
  var isRegistered = false
  var wasSaid = false
  /// The devices whose apps the node launches by itself, until these launches are over.
  var launching: Set<String> = []
  /// A sentence for each that came to nothing.
  var failedLaunches: [String] = []

  var isDue: Bool { isRegistered && launching.isEmpty && !wasSaid }

  /// - Parameter failure: nil when the app runs, or when somebody wanted something else meanwhile.
  mutating func launchIsOver(_ device: String, failure: String? = nil) {
    guard launching.remove(device) != nil, let failure else { return }
    failedLaunches.append(failure)
  }

  /// Apps cannot be launched for now: that may take as long as people take.
  mutating func launchesWait(_ reason: String) {
    guard !launching.isEmpty else { return }
    launching = []
    failedLaunches.append(reason)
  }
}
