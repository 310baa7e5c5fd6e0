/// Names an iterator of `updates`, `statusUpdates` or `storefrontUpdates`; unique in the process.
package struct IteratorID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

package enum IteratorKind: Hashable, Sendable { case transactions, statuses, storefronts }
