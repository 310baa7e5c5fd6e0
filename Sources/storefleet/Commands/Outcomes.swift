import Fleet
import Wire

/// Does the same for several names of one command line: all are tried, and each says how it went.
enum Outcomes {
  /// - Parameter quiet: whether what succeeds is not told.
  /// - Returns: `failed` when one of them was refused. A fleet that does not answer ends it at once.
  static func each(
    _ names: [String], quiet: Bool = false, _ body: (String) async throws -> String
  ) async throws -> ExitCode {
    // A word that is no name is a slip on the command line: then nothing is done at all.
    for name in names { try NameError.check(name, "anything") }
    var code = ExitCode.ok
    for name in names {
      do {
        let done = try await body(name)
        if !quiet { print("\(name): \(done)") }
      } catch let error as WireError where !error.isAboutTheFleet {
        StandardError.print("\(name): \(error.message)")
        code = .failed
      } catch let error as CommandFailure {
        StandardError.print("\(name): \(error.message)")
        code = .failed
      }
    }
    return code
  }
}
