import ClientNode
public import Foundation
import Shared
import Wire

/// Something that the app sells.
///
/// Apple: https://developer.apple.com/documentation/storekit/product
public struct Product: Identifiable, Sendable {
  let content: ProductContent
  let daemon: any StoreDaemon

  /// The product id.
  public var id: String { content.product.id }
  public var type: ProductType { ProductType(rawValue: content.product.type.rawValue) }
  public var displayName: String { content.localization?.displayName ?? content.product.referenceName ?? id }
  public var description: String { content.localization?.description ?? "" }
  public var price: Decimal { Decimal(milliunits: content.product.priceMilliunits) }
  public var displayPrice: String { price.formatted(priceFormatStyle) }
  public var priceFormatStyle: Decimal.FormatStyle.Currency { content.priceFormatStyle }
  /// Such as "one month", for `SubscriptionPeriod.formatted(_:referenceDate:)`.
  public var subscriptionPeriodFormatStyle: PeriodFormatStyle {
    let locale = Locale(identifier: content.locale)
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = locale
    return PeriodFormatStyle(style: .spellOut, locale: locale, calendar: calendar)
  }
  public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
    SubscriptionPeriod.Unit.FormatStyle(locale: Locale(identifier: content.locale))
  }
  public var isFamilyShareable: Bool { content.product.isFamilyShareable }
  public var jsonRepresentation: Data { content.json }

  /// Nil unless it is an auto-renewable subscription.
  public var subscription: SubscriptionInfo? {
    content.product.subscription.map { SubscriptionInfo(terms: $0, content: content, daemon: daemon) }
  }

  public var latestTransaction: VerificationResult<Transaction>? {
    get async {
      let query = TransactionQuery.latest(productId: id)
      return await Transaction.first(of: Transaction.Transactions(.query(query, productId: nil), on: daemon))
    }
  }

  public var currentEntitlement: VerificationResult<Transaction>? {
    get async { await Transaction.first(of: currentEntitlements) }
  }

  public var currentEntitlements: Transaction.Transactions {
    Transaction.Transactions(.query(.currentEntitlements, productId: id), on: daemon)
  }

  /// Loads products. Unknown ids are missing from the result; its order means nothing.
  /// - Throws: `StoreKitError`.
  public static func products<Identifiers: Collection>(
    for identifiers: Identifiers
  ) async throws -> [Product] where Identifiers.Element == String {
    try await load(Set(identifiers), on: CurrentDevice.orThrow())
  }

  static func load(_ identifiers: Set<String>, on daemon: any StoreDaemon) async throws -> [Product] {
    do {
      let reply = try await daemon.products(for: Array(identifiers))
      return reply.products.map { Product(content: ProductContent($0, in: reply), daemon: daemon) }
    } catch {
      throw StoreKitError(error)
    }
  }
}

extension Product: Hashable {
  public static func == (left: Product, right: Product) -> Bool { left.content == right.content }
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension Product: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
