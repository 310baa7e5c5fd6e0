import Fleet
import Launch
import Shared
import Wire

/// Why a fleet could not do what a test asked, in one sentence.
public struct FleetTestingError: Error, Hashable, Sendable, CustomStringConvertible {
  public let message: String

  init(_ message: String) { self.message = message }

  public var description: String { message }

  /// Makes of what is the package's own what a test can read and catch.
  static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as WireError {
      throw FleetTestingError(error.message)
    } catch let error as FleetError {
      throw FleetTestingError(error.message)
    } catch let error as ChildProcessError {
      throw FleetTestingError(error.message)
    } catch let error as RunFolderError {
      throw FleetTestingError(error.message)
    } catch let error as ImpossibleState {
      throw FleetTestingError(error.message)
    }
  }

  /// The same for what reads a catalogue.
  static func translatingCatalog<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as CatalogError {
      throw FleetTestingError(error.lines.joined(separator: "\n"))
    }
  }
}
