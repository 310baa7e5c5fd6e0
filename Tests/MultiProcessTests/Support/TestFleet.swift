import Fleet
import Foundation
import Shared
import Wire

/// A fleet of real processes for one test.
struct TestFleet: Sendable {
  let workplace: Workplace
  let processes: ProcessFleet

  func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: processes.configuration.world, kind: kind, key: key)
  }

  func account(_ name: String) -> ActorAddress { address(.account, name) }
  func device(_ name: String) -> ActorAddress { address(.device, name) }
  var world: ActorAddress { address(.world, processes.configuration.world) }

  func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID = RequestID(UUID()), timeout: Duration = patience
  ) async throws -> Message.Reply {
    try await processes.control().ask(message, of: address, id: id, timeout: timeout)
  }

  // MARK: The story

  /// A tap on the buy button, to the end of the purchase.
  @discardableResult
  func tapBuy(_ product: String, on device: String, waits: Bool = true) async throws -> String {
    try await ask(TapBuy(productId: product, wait: waits), of: self.device(device)).phase
  }

  /// Buys in the App Store itself, outside of any app.
  @discardableResult
  func buy(_ product: String, for account: String) async throws -> TransactionID {
    switch try await ask(Purchase(productId: product), of: self.account(account)).outcome {
    case .purchased(let id), .existing(let id): return id
    case .pending(let request): throw Overdue(description: "the purchase waits for approval: \(request)")
    }
  }

  func launch(_ device: String) async throws { _ = try await ask(LaunchDevice(), of: self.device(device)) }
  func kill(_ device: String) async throws { _ = try await ask(KillDevice(), of: self.device(device)) }

  /// Every launched device is where its account is.
  func settle() async throws { _ = try await ask(Settle(), of: world) }

  /// The transactions that the account's journal says were bought, in order, repeated ones too.
  func purchases(of account: String) async throws -> [TransactionID] {
    struct Body: Decodable {
      struct Record: Decodable { var transactionId: TransactionID }
      var records: [Record]
    }
    let events = try await ask(ReadJournal(), of: self.account(account)).events
    return try events.filter { $0.name == "purchased" }.flatMap {
      try JSONDecoder().decode(Body.self, from: Data($0.body.utf8)).records.map(\.transactionId)
    }
  }

  // MARK: Waiting

  /// Waits until the device's report is as wanted.
  @discardableResult
  func until(
    _ device: String, _ what: String, _ isWanted: @escaping @Sendable (DeviceReport) -> Bool
  ) async throws -> DeviceReport {
    try await looking(for: "\(device): \(what)") {
      let report = try await ask(InspectDevice(), of: self.device(device))
      return isWanted(report) ? .found(report) : .notYet("\(report)")
    }
  }

  /// Waits until the reports of all devices are as wanted, as the server node has them.
  func untilAll(_ what: String, _ isWanted: @escaping @Sendable (DeviceReport) -> Bool) async throws {
    try await looking(for: "all devices: \(what)") {
      let entries = try await ask(ListDevices(), of: world).devices
      let others = entries.filter { $0.report.map(isWanted) != true }
      return others.isEmpty ? .found(()) : .notYet("\(others.count) are not, \(others[0]) for example")
    }
  }

  enum Look<Found: Sendable>: Sendable {
    case found(Found)
    case notYet(String)
  }

  /// Looks again at each change that the fleet reports. While the server is away nothing is reported, so a look that
  /// finds nothing is repeated after a while in any case.
  private func looking<Found: Sendable>(
    for what: String, _ look: @escaping @Sendable () async throws -> Look<Found>
  ) async throws -> Found {
    let seen = LastLook()
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = processes.changes()
    return try await withThrowingTaskGroup(of: Found?.self) { group in
      group.addTask {
        for await _ in changes { waker.yield() }
        return nil
      }
      group.addTask {
        while true {
          try await Task.sleep(for: .milliseconds(250))
          waker.yield()
        }
      }
      group.addTask {
        try await inTime("\(what); last seen: \(seen.text)") {
          waker.yield()
          for await _ in wakes {
            do {
              switch try await look() {
              case .found(let found): return found
              case .notYet(let text): seen.text = text
              }
            } catch let error as WireError where error.isRetriable || error.code == .unknownAddress {
              seen.text = error.message
            }
          }
          throw CancellationError()
        }
      }
      defer { group.cancelAll() }
      while let found = try await group.next() {
        if let found { return found }
      }
      throw CancellationError()
    }
  }
}
