import ClientNode
public import Foundation
import Shared

/// A country's App Store.
public struct Storefront: Identifiable, Sendable {
  /// ISO 3166-1 alpha-3.
  public let countryCode: String
  /// The store's number for it.
  public let id: String

  public var currency: Locale.Currency? { currencyCode.map { Locale.Currency($0) } }

  private var currencyCode: String? { StorefrontCurrency.code(of: countryCode) }

  /// The storefront of the device's account.
  public static var current: Storefront? {
    get async {
      guard let daemon = CurrentDevice.orNothing() else { return nil }
      return await Storefront(countryCode: daemon.storefront(), id: nil)
    }
  }

  /// Where the device's account has moved to, each time that it does.
  public static var updates: Storefronts { Storefronts(daemon: CurrentDevice.orNothing()) }

  /// - Parameter id: nil for the number that belongs to the country.
  init(countryCode: String, id: String?) {
    self.countryCode = countryCode
    self.id = id ?? StorefrontID.of(countryCode)
  }

  public struct Storefronts: AsyncSequence, Sendable {
    public typealias Element = Storefront
    public typealias Failure = Never

    let daemon: (any StoreDaemon)?

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(storefronts: DeviceListener(to: daemon) { $0.storefrontUpdates() })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var storefronts: DeviceListener<String>

      public mutating func next() async -> Storefront? { await next(isolation: #isolation) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> Storefront? {
        await storefronts.next().map { Storefront(countryCode: $0.element, id: nil) }
      }
    }
  }
}
