import Fleet
import Wire

/// The verbs that make a network bad, and good again.
enum NetVerbs {
  static let all = [set, clear]

  private static let node = Option(
    "node", value: "NAME", help: "a client node instead of devices: all that its devices have in common too")
  private static let latency = Option(
    "latency", value: "TIME", help: "how long each message takes: 300ms, or 200ms-800ms")
  private static let dropEvents = Option("drop-events", value: "PERCENT", help: "events that are lost")
  private static let duplicateEvents = Option("duplicate-events", value: "PERCENT", help: "events that come twice")
  private static let delayEvents = Option("delay-events", value: "PERCENT", help: "events that come late")
  private static let reorderEvents = Option(
    "reorder-events", value: "PERCENT", help: "events that come after the next one")
  private static let nextEvents = Option("next-events", value: "N", help: "for how many events; without it for all")
  private static let dropRequests = Option("drop-requests", value: "PERCENT", help: "requests that are lost")
  private static let dropReplies = Option("drop-replies", value: "PERCENT", help: "replies that are lost")
  private static let nextRequests = Option(
    "next-requests", value: "N", help: "for how many requests and replies; without it for all")
  private static let block = Option(
    "block", value: "WAY", help: "events: they do not come, requests go; requests: the other way round")
  private static let seed = Option("seed", value: "N", help: "where the randomness starts, to repeat a run")

  static let set = Command(
    name: "net set", summary: "make the network between devices and the store bad", operands: [FaultTargets.devices],
    options: [
      node, latency, dropEvents, duplicateEvents, delayEvents, reorderEvents, nextEvents, dropRequests, dropReplies,
      nextRequests, block, seed, FleetOptions.json,
    ] + FleetOptions.all,
    examples: [
      .init("storefleet net set device-1 --latency 200ms-800ms", "a slow phone"),
      .init("storefleet net set device-1 --drop-events 100 --next-events 2", "it misses the next two events"),
      .init("storefleet net set --node client-1 --block events", "requests go out, and nothing is heard"),
    ]
  ) { arguments in try await tell(faults(arguments), arguments) }

  static let clear = Command(
    name: "net clear", summary: "make the network good again", operands: [FaultTargets.devices],
    options: [node, FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet net clear", "for every device of the world")]
  ) { arguments in try await tell(nil, arguments) }

  private static func faults(_ arguments: Arguments) throws -> NetworkFaults {
    func share(_ option: Option) throws(UsageError) -> Int { try arguments.integer(option, in: 0...100) ?? 0 }
    var faults = NetworkFaults()
    if let text = arguments.value(latency) {
      do {
        faults.latency = try LatencyText.parse(text)
      } catch {
        throw UsageError("option '--latency': \(error)")
      }
    }
    let events = NetworkFaults.Events(
      drop: try share(dropEvents), duplicate: try share(duplicateEvents), delay: try share(delayEvents),
      reorder: try share(reorderEvents), next: try arguments.integer(nextEvents, in: 1...1_000_000))
    if [events.drop, events.duplicate, events.delay, events.reorder] != [0, 0, 0, 0] { faults.events = events }
    let requests = NetworkFaults.Requests(
      drop: try share(dropRequests), dropReplies: try share(dropReplies),
      next: try arguments.integer(nextRequests, in: 1...1_000_000))
    if [requests.drop, requests.dropReplies] != [0, 0] { faults.requests = requests }
    if let word = arguments.value(block) {
      guard let way = NetworkFaults.Way(rawValue: word) else {
        throw UsageError("option '--block' is '\(word)': events or requests was expected")
      }
      faults.blocked = way
    }
    faults.seed = try arguments.integer(seed, in: 0...Int.max).map { UInt64($0) }
    guard faults.latency != nil || faults.events != nil || faults.requests != nil || faults.blocked != nil else {
      throw UsageError("say what is bad about it, for example --latency 300ms; 'net clear' makes it good again")
    }
    return faults
  }

  private static func tell(_ faults: NetworkFaults?, _ arguments: Arguments) async throws -> ExitCode {
    let request = SetNetworkFaults(faults: faults)
    let done = "network: \(faults.map(FaultText.text) ?? "good")"
    let named = arguments.value(node)
    guard named == nil || arguments.operands.isEmpty else {
      throw UsageError("a network is that of devices or of a client node: say either DEVICE or --node")
    }
    return try await FleetOptions.with(arguments) { fleet in
      if named == nil, arguments.operands.isEmpty {
        return try await FaultTargets.tellAll(request, arguments, done, fleet)
      }
      let code = try await Outcomes.each(
        named.map { [$0] } ?? arguments.operands, quiet: arguments.has(FleetOptions.json)
      ) { name in
        _ = try await fleet.ask(request, of: named == nil ? .device : .node, name)
        return done
      }
      if arguments.has(FleetOptions.json), code == .ok { try FleetOptions.print(json: request) }
      return code
    }
  }
}
