import Foundation

/// libfaketime, which lets `Date()` of another process follow a world's clock.
package enum Faketime {
  /// The library, where Debian and others put it; nil when it is not installed.
  package static let library: String? = {
    let file = "faketime/libfaketimeMT.so.1"
    let folders =
      ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)" } + ["/usr/lib", "/usr/local/lib", "/usr/lib64"]
    return folders.map { "\($0)/\(file)" }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  /// What to tell a person who starts an app without it.
  package static let absence =
    "libfaketime is not installed (Debian: libfaketime): on every device, Date() is the machine's and not the world's"

  /// Adds what makes a process read how far its clock is off from `file`, at each reading.
  static func prepare(_ environment: inout [String: String], file: String) {
    guard let library else { return }
    environment["LD_PRELOAD"] = [library, environment["LD_PRELOAD"]].compactMap(\.self).joined(separator: ":")
    environment["FAKETIME_TIMESTAMP_FILE"] = file
    environment["FAKETIME"] = nil
    // The next reading after a jump is right, not the first one ten seconds later.
    environment["FAKETIME_NO_CACHE"] = "1"
    environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
    environment["NO_FAKE_STAT"] = "1"
  }
}
