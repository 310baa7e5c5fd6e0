import Fleet
import Foundation
package import Wire

extension Fleet {
  package enum Look<Found: Sendable>: Sendable {
    case found(Found)
    /// What was seen instead.
    case notYet(String)
  }

  /// Looks until something is so.
  ///
  /// Looks again at each change that the fleet reports. While the server is away nothing is reported, so a look that finds
  /// nothing is repeated after a while in any case.
  ///
  /// - Parameter account: whose history the failure shows.
  /// - Throws: an `UnmetExpectation` at the deadline.
  @discardableResult
  package func until<Found: Sendable>(
    _ what: String, about account: String? = nil, within deadline: Duration? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ look: @escaping @Sendable () async throws -> Look<Found>
  ) async throws -> Found {
    let seen = LastLook()
    let limit = deadline ?? patience
    /// One look, whose outcome is the answer.
    func lookNow() async throws -> Found {
      switch try await FleetTestingError.translating({ try await look() }) {
      case .found(let found): return found
      case .notYet(let text): throw await failure(what, text, account, limit, file, line)
      }
    }
    // No time at all means: now.
    if limit <= .zero { return try await lookNow() }
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = processes.changes()
    let found: Found? = try await FleetTestingError.translating {
      try await withThrowingTaskGroup(of: Ending<Found>.self) { group in
        group.addTask {
          for await _ in changes { waker.yield() }
          return .other
        }
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            waker.yield()
          }
          return .other
        }
        group.addTask {
          try? await Task.sleep(for: limit)
          return .tooLate
        }
        group.addTask {
          waker.yield()
          for await _ in wakes {
            do {
              switch try await look() {
              case .found(let found): return .found(found)
              case .notYet(let text): seen.text = text
              }
            } catch let error as WireError where error.isRetriable || error.code == .unknownAddress {
              seen.text = error.message
            } catch is CancellationError {
              return .other
            }
          }
          return .other
        }
        defer { group.cancelAll() }
        while let ending = try await group.next() {
          switch ending {
          case .found(let found): return found
          case .tooLate: return nil
          case .other: break
          }
        }
        throw CancellationError()
      }
    }
    if let found { return found }
    try Task.checkCancellation()
    // On a machine so busy that not one look was through in time, the first one counts, however late.
    guard let text = seen.text else { return try await lookNow() }
    throw await failure(what, text, account, limit, file, line)
  }

  private func failure(
    _ what: String, _ seen: String, _ account: String?, _ patience: Duration, _ file: StaticString, _ line: UInt
  ) async -> UnmetExpectation {
    await UnmetExpectation(
      expected: what, seen: seen, patience: patience, timeline: timeline(of: account), crashes: crashes.messages,
      place: "\(file):\(line)")
  }

  private enum Ending<Found: Sendable>: Sendable {
    case found(Found)
    case tooLate
    case other
  }

  private func timeline(of account: String?) async -> String? {
    guard let account else { return nil }
    return try? await timelineText(account)
  }

  /// Waits until the reports of all devices are as wanted, as the server node has them.
  package func untilAll(_ what: String, _ isWanted: @escaping @Sendable (DeviceReport) -> Bool) async throws {
    try await until("all devices: \(what)") {
      let entries = try await ask(ListDevices(), of: world).devices
      let others = entries.filter { $0.report.map(isWanted) != true }
      return others.isEmpty ? .found(()) : .notYet("\(others.count) are not, \(others[0]) for example")
    }
  }
}
