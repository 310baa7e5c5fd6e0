import ClientNode
import Wire

/// Something that the App Store has to say to the customer.
///
/// Apple: https://developer.apple.com/documentation/storekit/message
public struct Message: Hashable, Sendable {
  public let reason: Reason

  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let generic = Reason(rawValue: 0)
    public static let priceIncreaseConsent = Reason(rawValue: 1)
    public static let billingIssue = Reason(rawValue: 2)
    public static let winBackOffer = Reason(rawValue: 3)

    public var localizedDescription: String {
      switch self {
      case .generic: "Generic"
      case .priceIncreaseConsent: "Price Increase Consent"
      case .billingIssue: "Billing Issue"
      case .winBackOffer: "Win-Back Offer"
      default: "Unknown Reason \(rawValue)"
      }
    }
  }

  /// The messages for this device's customer. Never ends by itself.
  public static var messages: Messages { Messages(daemon: CurrentDevice.orNothing()) }

  // There is no screen, so nothing is shown. The form with a scene takes whatever stands for one in the code.
  @MainActor public func display() throws {}
  @MainActor public func display<Scene>(in scene: Scene) throws {}

  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = Message
    public typealias Failure = Never

    let daemon: (any StoreDaemon)?

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(messages: DeviceListener(to: daemon) { $0.messages() })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var messages: DeviceListener<SendMessage.Reason>

      public mutating func next() async -> Message? { await next(isolation: #isolation) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
        await messages.next().map { Message(reason: Reason($0.element)) }
      }
    }
  }
}

extension Message.Reason {
  init(_ reason: SendMessage.Reason) {
    self =
      switch reason {
      case .generic: .generic
      case .priceIncreaseConsent: .priceIncreaseConsent
      case .billingIssue: .billingIssue
      case .winBackOffer: .winBackOffer
      }
  }
}
