import Fleet
import Shared
import Wire

/// The verbs that hold back what apps ask of the store, and let it go.
enum GateVerbs {
  static let all = [hold, release]

  private static let names = HoldGate.Gate.allCases.map(\.rawValue).joined(separator: ", ")
  private static let gate = Operand("GATE", help: names)
  private static let count = Option(
    "count", value: "N", help: "how many calls pass, those that wait first; it stays held for others")
  private static let cancel = Option(flag: "cancel", help: "they end as if the customer had cancelled")

  static let hold = Command(
    name: "gate hold", summary: "hold back what an app asks of the store, so that something can happen meanwhile",
    operands: [gate, FaultTargets.devices], options: [FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet gate hold purchase device-1", "the payment sheet stays up; nothing is bought yet"),
      .init("storefleet gate hold purchaseResult device-1", "it is bought, and the app does not hear of it"),
      .init("storefleet gate hold entitlements", "queries of transactions wait, on every device"),
    ]
  ) { arguments in
    let gate = try gate(arguments)
    return try await FaultTargets.tell(
      HoldGate(gate: gate, held: true), Array(arguments.operands.dropFirst()), arguments,
      done: "holds back \(gate.rawValue)")
  }

  static let release = Command(
    name: "gate release", summary: "let go what 'gate hold' holds back",
    operands: [gate, FaultTargets.devices], options: [count, cancel, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet gate release purchase device-1", "whoever waits goes on, and nobody waits any more"),
      .init("storefleet gate release purchase device-1 --count 1", "one call passes"),
      .init("storefleet gate release purchase device-1 --cancel", "the customer puts the payment sheet away"),
    ]
  ) { arguments in
    let gate = try gate(arguments)
    let number = try arguments.integer(count, in: 1...1_000)
    let cancels = arguments.has(cancel)
    if cancels, !gate.canBeCancelled {
      throw UsageError("nobody can cancel what waits at '\(gate.rawValue)': leave out --cancel")
    }
    let done = (cancels ? "cancelled " : "lets go of ") + gate.rawValue + (number.map { " (\($0))" } ?? "")
    return try await FaultTargets.tell(
      HoldGate(gate: gate, held: false, count: number, cancel: cancels ? true : nil),
      Array(arguments.operands.dropFirst()), arguments, done: done)
  }

  private static func gate(_ arguments: Arguments) throws(UsageError) -> HoldGate.Gate {
    let word = arguments.operands[0]
    guard let gate = HoldGate.Gate(rawValue: word) else {
      let near = Spelling.closest(to: word, among: HoldGate.Gate.allCases.map(\.rawValue))
      throw UsageError("there is no gate '\(word)': " + (near.map { "did you mean '\($0)'?" } ?? "expected \(names)"))
    }
    return gate
  }
}
