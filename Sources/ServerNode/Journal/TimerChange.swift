/// A durable timer of an actor, by name; setting a name again moves it.
package enum TimerChange: Hashable, Sendable {
  /// `due` is store time in milliseconds since 1970.
  case set(name: String, due: Int64)
  case clear(name: String)

  package var name: String {
    switch self {
    case .set(let name, _), .clear(let name): name
    }
  }
}
