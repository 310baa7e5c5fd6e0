import Fleet
import Foundation
import Wire

/// What every command that speaks with a running fleet shares.
enum FleetOptions {
  static let fleet = Option(
    "fleet", value: "NAME", help: "the fleet's name or run folder; else STOREFLEET_FLEET, else the only one that runs")
  static let json = Option(flag: "json", help: "print JSON")

  /// Connects, runs `body`, and lets go. What the store or a fleet refuses becomes one sentence.
  static func with(
    _ arguments: Arguments, followsEvents: Bool = false, _ body: (RunningFleet) async throws -> ExitCode
  ) async throws -> ExitCode {
    do {
      let fleet = try await RunningFleet.find(arguments.value(fleet), followsEvents: followsEvents)
      do {
        let code = try await body(fleet)
        await fleet.connection.close()
        return code
      } catch {
        await fleet.connection.close()
        throw error
      }
    } catch let error as WireError {
      throw CommandFailure(error.message, exitCode: error.isAboutTheFleet ? .unreachable : .failed)
    } catch let error as FleetError {
      throw CommandFailure(error.message, exitCode: .unreachable)
    }
  }

  static func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    FileHandle.standardOutput.write(try encoder.encode(value) + Data("\n".utf8))
  }
}

extension WireError {
  /// Whether the fleet could not be reached or could not answer, rather than said no.
  fileprivate var isAboutTheFleet: Bool {
    switch code {
    case .deadlineExceeded, .unavailable, .overloaded, .unauthorized, .helloFirst, .internalError: true
    default: false
    }
  }
}
