import Wire

/// The gates of a phone at which calls of its app wait while they are held.
struct Gates: Sendable {
  enum Admission: Sendable {
    case pass
    case wait
    /// Goes no further: the customer cancels.
    case cancel
  }

  private(set) var held: Set<HoldGate.Gate> = []
  /// Calls that pass though the gate is held.
  private var passes: [HoldGate.Gate: (count: Int, cancels: Bool)] = [:]

  var isOpen: Bool { held.isEmpty }

  mutating func set(_ order: HoldGate) {
    passes[order.gate] = nil
    if order.held {
      held.insert(order.gate)
    } else if let count = order.count {
      held.insert(order.gate)
      passes[order.gate] = (count, order.cancel == true)
    } else {
      held.remove(order.gate)
    }
  }

  /// What becomes of the next call; a pass is used up by it.
  mutating func admit(_ gate: HoldGate.Gate) -> Admission {
    guard held.contains(gate) else { return .pass }
    guard let pass = passes[gate] else { return .wait }
    passes[gate] = pass.count > 1 ? (pass.count - 1, pass.cancels) : nil
    return pass.cancels ? .cancel : .pass
  }
}
