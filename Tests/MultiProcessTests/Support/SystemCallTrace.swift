import FleetTesting
import Foundation
import Wire
import TestPrograms

/// What a server process asks of the kernel, written down by strace.
struct SystemCallTrace {
  /// One line: the beginning of a call, its end, or both. strace stops every thread at both, so the order of lines is
  /// the order of what happened.
  struct Call {
    var text: String

    var isWriteToLog: Bool { has("pwrite64(") && text.contains(SystemCallTrace.logPath) }
    var isSend: Bool { has("sendto(") || has("sendmsg(") || has("write(") && text.contains(SystemCallTrace.socketPath) }
    /// The end of a sync. One that another thread's calls came between is split into two lines, and only the journal
    /// syncs in this process.
    var endsSyncOfLog: Bool {
      guard text.hasSuffix("= 0") else { return false }
      let isSync = has("fdatasync(") || has("fsync(")
      return isSync && text.contains(SystemCallTrace.logPath) || text.contains("sync resumed>")
    }

    private func has(_ name: String) -> Bool { text.contains(" \(name)") }
  }

  static let isAvailable = (try? Program.run(["strace", "-o", "/dev/null", "/bin/true"]).status) == 0

  private let workplace: FleetWorkplace
  private var path: String { workplace.path("trace") }

  init(_ workplace: FleetWorkplace) { self.workplace = workplace }

  /// An executable that is storefleet, with its server process traced.
  func wrapper() throws -> String {
    let calls = "fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg"
    let script = """
      #!/bin/sh
      [ "$1" = server ] || exec '\(Tool.executable)' "$@"
      exec strace -f -y -xx -s 65536 -e trace=\(calls) -o '\(path)' '\(Tool.executable)' "$@"
      """
    let file = try workplace.write(script, to: "traced-storefleet")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
    return file
  }

  func read() throws -> [Call] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { Call(text: String($0)) }
  }

  // strace writes paths in hexadecimal too, between angle brackets.
  private static let logPath = hexadecimal(Data("-wal".utf8)) + ">"
  private static let socketPath = "<" + hexadecimal(Data("socket:".utf8))

  /// The bytes as strace prints them.
  static func hexadecimal(_ bytes: Data) -> String { bytes.map { String(format: "\\x%02x", $0) }.joined() }
}
