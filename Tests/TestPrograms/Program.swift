import CLinux
import Foundation
import Glibc

/// Programs that tests run to their end.
///
/// Not by Foundation's `Process`: to find the open descriptors it copies entries of a folder as if each had the largest
/// size, and so reads beyond the memory that has them, which ends a test process with many descriptors once in some
/// hundred times.
package enum Program {
  package struct Result: Sendable {
    /// 128 and the signal's number where one ended it, as shells have it.
    package let status: Int32
    package let output: String
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Blocks until the program has ended.
  /// - Parameters:
  ///   - words: The program, looked for in `PATH`, and its arguments.
  ///   - errors: Whether standard error is part of the output; else it goes nowhere.
  package static func run(_ words: [String], errors: Bool = true) throws -> Result {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw Failure(description: "no pipe: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    if errors {
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
    close(ends[1])
    guard code == 0 else { throw Failure(description: "cannot run \(words[0]): \(String(cString: strerror(code)))") }
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: false).readDataToEndOfFile()
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7F
    return Result(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: String(decoding: output, as: UTF8.self))
  }

  /// Waits on a thread of its own.
  package static func run(_ words: [String], errors: Bool = true) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: .init { try blocking(words, errors: errors) }) }
    }
  }

  private static func blocking(_ words: [String], errors: Bool) throws -> Result { try run(words, errors: errors) }
}
