/// The key of a row of an actor: the actor's id above 32 bits of count.
enum RowPosition {
  static let maximumCount: UInt64 = 0xffff_ffff
  static let maximumActor: Int64 = 0x7fff_ffff

  /// All rows of `actor` have a position above this.
  static func before(_ actor: Int64) -> Int64 { actor << 32 }

  /// No row of `actor` has a position above this.
  static func last(_ actor: Int64) -> Int64 { actor << 32 | Int64(maximumCount) }

  /// The row of `actor` with this count; a count beyond the limit gives the last one.
  static func at(_ actor: Int64, _ count: UInt64) -> Int64 { actor << 32 | Int64(min(count, maximumCount)) }

  static func count(_ position: Int64) -> UInt64 { UInt64(truncatingIfNeeded: position) & maximumCount }
}
