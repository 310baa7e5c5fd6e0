/// Names a call that waits for its answer; unique in the process.
package struct CallID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

extension CallID: Comparable {
  package static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
}
