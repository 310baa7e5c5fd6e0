package import Foundation
import Glibc

/// How a node tells its launcher that it is ready: one line of JSON, in a file or in a FIFO that the launcher reads.
package enum ReadyWord {
  /// The key of what an app's launcher is to tell: a line for each launch that came to nothing. Absent when all is well.
  package static let failedLaunches = "failedLaunches"

  /// What a launcher read, as values by key.
  package static func read(_ line: Data) -> [String: String] {
    (try? JSONDecoder().decode([String: String].self, from: line)) ?? [:]
  }

  /// Says it: whole, or not at all.
  package static func say(_ values: [String: String], in path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = try encoder.encode(values) + Data("\n".utf8)
    guard isFIFO(path) else { return try line.write(to: URL(filePath: path), options: .atomic) }
    let pipe = try FileHandle(forWritingTo: URL(filePath: path))
    try pipe.write(contentsOf: line)
    try pipe.close()
  }

  private static func isFIFO(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
