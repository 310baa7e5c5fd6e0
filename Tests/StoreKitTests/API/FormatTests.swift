import ClientNode
import Foundation
import Shared
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct FormatTests {
  private let daemon = FakeDaemon()

  private func product() async throws -> Product {
    daemon.sell(.yearly)
    return try #require(try await on(daemon) { try await Product.products(for: ["yearly"]) }.first)
  }

  @Test(arguments: [
    (Product.SubscriptionPeriod.weekly, "one week"), (.everyTwoWeeks, "two weeks"), (.monthly, "one month"),
    (.everySixMonths, "six months"), (.yearly, "one year"), (.everyThreeDays, "three days"),
  ])
  func periodsAreSpelledOut(_ period: Product.SubscriptionPeriod, _ text: String) async throws {
    #expect(period.formatted(try await product().subscriptionPeriodFormatStyle) == text)
  }

  @Test func unitsHaveNames() async throws {
    let style = try await product().subscriptionPeriodUnitFormatStyle
    #expect(Product.SubscriptionPeriod.Unit.month.formatted(style) == "month")
    #expect(Product.SubscriptionPeriod.Unit.year.localizedDescription == "Year")
  }

  @Test func periodsHaveOtherStyles() async throws {
    var style = try await product().subscriptionPeriodFormatStyle
    style.style = .wide
    #expect(Product.SubscriptionPeriod.everyTwoMonths.formatted(style) == "2 months")
    style.style = .narrow
    #expect(Product.SubscriptionPeriod.everyThreeDays.formatted(style) == "3d")
  }

  @Test func statesThatAreNotKnownComeThrough() {
    let state = Product.SubscriptionInfo.RenewalState(rawValue: 9)
    #expect(state.rawValue == 9)
    #expect(Product.SubscriptionInfo.RenewalState(rawValue: 1) == .subscribed)
    #expect((1...5).map { Product.SubscriptionInfo.RenewalState(rawValue: $0).rawValue } == [1, 2, 3, 4, 5])
  }

  @Test func errorsOfTheOriginalStoreKitAreCaught() {
    do {
      throw SKError(.paymentCancelled)
    } catch SKError.paymentCancelled {
      #expect((SKError(.paymentCancelled) as NSError).domain == SKErrorDomain)
      #expect((SKError(.paymentCancelled) as NSError).code == 2)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func promotionsAreKeptInTheirOrder() async throws {
    try await on(daemon) {
      try await Product.PromotionInfo.updateProductOrder(byID: ["b", "a"])
      try await Product.PromotionInfo.updateProductVisibility(.hidden, for: "a")
      var order = try await Product.PromotionInfo.currentOrder
      #expect(order.map(\.productID) == ["b", "a"])
      #expect(order.map(\.visibility) == [.appStoreConnectDefault, .hidden])
      order[0].visibility = .visible
      try await order[0].update()
      #expect(try await Product.PromotionInfo.currentOrder.map(\.visibility) == [.visible, .hidden])
    }
  }
}
