import Wire

/// What the reader of a step knows of the steps before it.
struct ScenarioStage {
  let names: ScenarioNames
  let accountDevices: [String: [String]]
  let clients: Int
  let clock: ClockMode
  /// The family of each account, as joins and leaves have made it so far.
  var membership: [String: String]
  /// The devices whose finish is held back: a purchase there cannot end, so no step may wait for its end.
  var held: Set<String> = []
}
