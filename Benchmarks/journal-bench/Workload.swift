import Foundation

/// What both sides store.
enum Workload {
  static let inFlight = 64
  static let appendsPerRound = inFlight * 200
  static let actors = 5_000
  static let body = Data(repeating: UInt8(ascii: "x"), count: 560)
  static let reply = Data(repeating: UInt8(ascii: "y"), count: 200)
}
