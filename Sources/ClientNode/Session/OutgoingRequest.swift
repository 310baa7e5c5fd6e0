import Shared
import Wire

/// A request that waits for its reply, and is sent again with the same id until it has one.
struct OutgoingRequest: Sendable {
  /// What the reply is for.
  enum Purpose: Sendable {
    case describeWorld
    case checkPositions([String: StreamPosition])
    case catchUp(account: String)
    case copies(account: String, [WantedCopy])
    case reports
    case products(AppID, CallID)
    case purchase(AppID, CallID)
    case sync(AppID, CallID)
    case introEligibility(AppID, CallID, group: String)
    case finish(device: String, [TransactionID])
    case claim(device: String, DeviceCore.ClaimKey)

    /// The phone whose connection it uses; nil for the node's own.
    var device: String? {
      switch self {
      case .products(let app, _), .purchase(let app, _), .sync(let app, _), .introEligibility(let app, _, _):
        app.device
      case .finish(let device, _), .claim(let device, _): device
      case .describeWorld, .checkPositions, .catchUp, .copies, .reports: nil
      }
    }

    /// The launch that it ends with.
    var app: AppID? {
      switch self {
      case .products(let app, _), .purchase(let app, _), .sync(let app, _), .introEligibility(let app, _, _): app
      default: nil
      }
    }
  }

  var frames: RequestFrames
  var link: ClientLink
  var purpose: Purpose
  var attempts = 0
  /// When to stop; nil for never: the store has to come back for the node to go on.
  var givesUpAt: MonotonicTime?

  /// How long to wait for a reply before the request is sent again.
  static let replyMilliseconds: Int64 = 3_000

  /// How long to wait after an error that may pass, before jitter.
  var backOffMilliseconds: Int64 { min(100 << Int64(min(attempts, 6)), 5_000) }
}
