/// Names a write of the local store.
package struct WriteID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}
