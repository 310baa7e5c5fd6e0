import Fleet
import Shared
import Wire

/// `storefleet timeline`: why does this device think that it owns this?
enum TimelineCommand {
  private static let device = Option(
    "device", value: "DEVICE", help: "tell also where this device of the account is, and what its app shows")

  private struct Reason: Encodable {
    var product: String
    var transactionId: String
    var entitled: Bool
    var why: String
  }

  private struct Answer: Encodable {
    var account: String
    var now: String
    var events: [AccountTimeline.Line]
    var products: [Reason]
    var device: DeviceReport?
  }

  static let command = Command(
    name: "timeline", summary: "tell an account's history in words, and why it may use what it may",
    operands: [Operand("ACCOUNT", help: "the account's name")],
    options: [device, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet timeline alice", "a line an event, with the time in the store"),
      .init("storefleet timeline alice --device alice-pad", "and how far alice-pad has got in it"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let account = arguments.operands[0]
      let now = try await fleet.askWorld(DescribeWorld()).now
      let entries = try await fleet.journal(of: account).filter { $0.at <= now }
      let report: DeviceReport? =
        if let name = arguments.value(device) { try await fleet.ask(InspectDevice(), of: .device, name) } else { nil }
      if let report, report.account != account {
        throw CommandFailure("\(report.device) is a device of \(report.account), not of \(account)")
      }
      let answer = Answer(
        account: account, now: "\(now)", events: AccountTimeline(entries).lines,
        products: reasons(JournalTruth(entries: entries, now: now)), device: report)
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: answer)
      } else {
        lines(answer).forEach { print($0) }
      }
      return .ok
    }
  }

  private static func reasons(_ truth: JournalTruth) -> [Reason] {
    truth.products.map {
      Reason(product: $0.productId, transactionId: "\($0.transactionId)", entitled: $0.isEntitled, why: $0.why)
    }
  }

  private static func lines(_ answer: Answer) -> [String] {
    var events = Table([.init("event", .trailing), .init("store time"), .init("what happened")])
    for event in answer.events {
      // An arrow marks what the device does not know yet.
      let mark = answer.device.map { event.sequence > $0.sequence ? "→ " : "" } ?? ""
      events.addRow(["\(event.sequence)", event.at, mark + event.text])
    }
    var truth = Table(["product", "may be used", "why"].map { .init($0) })
    for reason in answer.products { truth.addRow([reason.product, reason.entitled ? "yes" : "no", reason.why]) }
    var lines = events.lines + ["", "It is \(answer.now). What is true of \(answer.account):"]
    lines += answer.products.isEmpty ? ["It never owned anything."] : truth.lines
    guard let device = answer.device else { return lines }
    let behind = answer.events.filter { $0.sequence > device.sequence }.count
    lines += [""] + DeviceText.lines(device)
    lines.append(
      behind == 0 ? "It knows every event." : "It does not know \(counted(behind, "event")) yet, marked with →.")
    return lines
  }
}
