/// Names one timer of a reactor, for `cancel`.
package struct TimerToken: Hashable, Sendable {
  let number: UInt64
}
