import Shared
import Wire

/// A request that waits for its reply, and is sent again with the same id until it has one.
struct OutgoingRequest: Sendable {
  /// What the reply is for.
  enum Purpose: Sendable {
    case describeWorld
    case checkPositions([String: StreamPosition])
    case catchUp(account: String, after: StreamPosition)
    case copies(account: String, [WantedCopy])
    case reports
    case products(AppID, CallID)
    case purchase(AppID, CallID)
    case sync(AppID, CallID)
    case introEligibility(AppID, CallID, group: String)
    case appTransaction(AppID, CallID)
    case refundRequest(AppID, CallID)
    case finish(device: String, [TransactionID])
    case claim(device: String, DeviceCore.ClaimKey)

    /// The phone whose connection it uses; nil for the node's own.
    var device: String? {
      switch self {
      case .products(let app, _), .purchase(let app, _), .sync(let app, _), .introEligibility(let app, _, _),
        .appTransaction(let app, _), .refundRequest(let app, _):
        app.device
      case .finish(let device, _), .claim(let device, _): device
      case .describeWorld, .checkPositions, .catchUp, .copies, .reports: nil
      }
    }

    /// The launch that it ends with.
    var app: AppID? {
      switch self {
      case .products(let app, _), .purchase(let app, _), .sync(let app, _), .introEligibility(let app, _, _),
        .appTransaction(let app, _), .refundRequest(let app, _):
        app
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

  /// How long to wait for a reply before the request is sent again, before jitter.
  var replyMilliseconds: Int64 {
    canWait ? min(3_000 << Int64(min(attempts, 5)), Self.patientMilliseconds) : 3_000 << Int64(min(attempts, 2))
  }

  /// How long to wait after an error that may pass, before jitter.
  var backOffMilliseconds: Int64 {
    min(100 << Int64(min(attempts, 10)), canWait ? Self.patientMilliseconds : 5_000)
  }

  /// The most that a request waits which can: a minute, so that a store that keeps refusing is not worn out.
  private static let patientMilliseconds: Int64 = 60_000

  /// Whether nobody waits for the reply: a finish is safe on the phone, and its app has been told so.
  private var canWait: Bool { if case .finish = purpose { true } else { false } }
}
