import Foundation
import Glibc
import Testing

@testable import storefleet

@Suite struct TextFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "text-file-\(UUID())")

  /// Each is told by what it is, and a pipe that nobody writes to is not waited for.
  @Test func whatIsNoTextFileIsTold() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let junk = folder.appending(path: "junk").path
    try Data([0xFF, 0xFE, 0xFD]).write(to: URL(filePath: junk))
    let none = folder.appending(path: "none").path

    #expect(failure(none) == "cannot read '\(none)': there is no such file")
    #expect(failure(folder.path) == "cannot read '\(folder.path)': it is a folder: name a file")
    #expect(failure(pipe) == "cannot read '\(pipe)': it is no regular file: copy it into one")
    #expect(failure("/dev/zero") == "cannot read '/dev/zero': it is no regular file: copy it into one")
    #expect(failure(junk) == "cannot read '\(junk)': it is no text in UTF-8")
  }

  @Test func theTextIsRead() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "text").path
    try Data("ä\n".utf8).write(to: URL(filePath: file))
    #expect(try TextFile.read(file) == "ä\n")
  }

  private func failure(_ file: String) -> String? {
    #expect(throws: CommandFailure.self) { try TextFile.read(file) }?.message
  }
}
