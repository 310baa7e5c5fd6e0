import Wire

/// What the reader of a step knows of the steps before it.
struct ScenarioStage {
  let names: ScenarioNames
  let accountDevices: [String: [String]]
  let clients: Int
  let clock: ClockMode
  /// The family of each account, as joins and leaves have made it so far.
  private(set) var membership: [String: String]
  /// By family.
  private let organizers: [String: String]
  /// Families that are no more: nobody can join them.
  private var ended: Set<String> = []
  /// The devices on which a gate is held.
  private var held: [HoldGate.Gate: Set<String>] = [:]

  init(
    names: ScenarioNames, accountDevices: [String: [String]], clients: Int, clock: ClockMode,
    families: [ScenarioFamily]
  ) {
    self.names = names
    self.accountDevices = accountDevices
    self.clients = clients
    self.clock = clock
    membership = [:]
    organizers = Dictionary(families.map { ($0.name, $0.organizer) }, uniquingKeysWith: { first, _ in first })
    for family in families { for member in family.members { membership[member] = family.name } }
  }

  // MARK: Families

  func hasEnded(_ family: String) -> Bool { ended.contains(family) }

  mutating func join(_ account: String, _ family: String) { membership[account] = family }

  /// An account leaves its family; an organiser takes everybody along.
  mutating func leave(_ account: String) {
    guard let family = membership.removeValue(forKey: account), organizers[family] == account else { return }
    membership = membership.filter { $0.value != family }
    ended.insert(family)
  }

  mutating func endAllFamilies() {
    membership = [:]
    ended = Set(organizers.keys)
  }

  // MARK: Gates

  mutating func hold(_ gate: HoldGate.Gate, _ held: Bool, _ target: FaultTarget) {
    let devices: [String] =
      if case .devices(let devices) = target { devices } else { accountDevices.values.flatMap(\.self) }
    if held {
      self.held[gate, default: []].formUnion(devices)
    } else {
      self.held[gate]?.subtract(devices)
    }
  }

  func isHeld(_ gate: HoldGate.Gate, on device: String) -> Bool { held[gate]?.contains(device) == true }

  /// A gate that a purchase on the device has to pass: it cannot end there, so no step may wait for its end.
  func heldGate(on device: String) -> HoldGate.Gate? {
    HoldGate.Gate.allCases.first { $0 != .restore && isHeld($0, on: device) }
  }
}
