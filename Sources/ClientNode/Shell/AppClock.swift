package import Shared

/// What `Date()` of this process follows.
package protocol AppClock: Sendable {
  /// Sets it; it then goes on by itself.
  ///
  /// - Parameter time: nil for what the machine's clock says.
  func show(_ time: StoreTime?, skewMilliseconds: Int64)
}
