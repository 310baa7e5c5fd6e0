import Fleet
import Launch
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
    }
  }
}
