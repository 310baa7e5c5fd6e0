import Fleet
import Foundation
import Shared
package import Wire

extension Fleet {
  package func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: processes.configuration.world, kind: kind, key: key)
  }

  package var world: ActorAddress { address(.world, processes.configuration.world) }

  package func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, id: RequestID = RequestID(UUID()),
    timeout: Duration? = nil
  ) async throws -> Message.Reply {
    try await processes.control().ask(message, of: address, id: id, timeout: timeout ?? patience)
  }

  package func ask<Message: Request>(
    _ message: Message, of actor: some FleetActor, id: RequestID = RequestID(UUID()), timeout: Duration? = nil
  ) async throws -> Message.Reply {
    try await ask(message, of: actor.address, id: id, timeout: timeout)
  }

  /// As `ask`, with errors for people.
  func tell<Message: Request>(_ message: Message, _ address: ActorAddress) async throws -> Message.Reply {
    try await FleetTestingError.translating { try await ask(message, of: address) }
  }

  // MARK: Journals

  package func journal(of account: String) async throws -> [ReadJournal.Entry] {
    var entries: [ReadJournal.Entry] = []
    while true {
      let request = ReadJournal(after: entries.last?.sequence ?? 0)
      let page = try await ask(request, of: address(.account, account)).events
      entries += page
      if page.count < request.limit { return entries }
    }
  }

  func timelineText(_ account: String) async throws -> String {
    try await journal(of: account).map { TimelineLine(account: account, entry: $0).text }.joined(separator: "\n")
  }

  func disagreements() async throws -> [String] {
    let now = try await ask(DescribeWorld(), of: world).now
    var truths: [String: JournalTruth] = [:]
    for account in Set(seats.map(\.account)) {
      truths[account] = JournalTruth(entries: try await journal(of: account).filter { $0.at <= now }, now: now)
    }
    var reports: [String: DeviceReport] = [:]
    for seat in seats { reports[seat.device] = try await ask(InspectDevice(), of: address(.device, seat.device)) }
    let agreement = Agreement(devices: seats.map { ($0.device, $0.account) }, reports: reports, truths: truths)
    return agreement.disagreeing.map(AgreementText().line)
  }
}
