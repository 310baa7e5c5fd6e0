import Fleet
import Wire

/// Does the same for several names of one command line: all are tried, and each says how it went.
enum Outcomes {
  /// - Returns: `failed` when one of them was refused. A fleet that does not answer ends it at once.
  static func each(
    _ names: [String], printsNothing: Bool = false, _ body: (String) async throws -> String
  ) async throws -> ExitCode {
    var code = ExitCode.ok
    for name in names {
      do {
        let line = try await body(name)
        if !printsNothing { print("\(name): \(line)") }
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
