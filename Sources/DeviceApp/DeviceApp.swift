public import Foundation
import StoreKit

/// An app on a simulated phone, as the phone and the person who holds it see it.
///
/// Several devices may run in one process, each with an object of its own. All StoreKit calls of an object and of the
/// tasks that it starts are about its device. `UserDefaults`, singletons and the main actor are shared by all of them.
@MainActor public protocol DeviceApp: AnyObject, SendableMetatype {
  /// The app is launched. Listeners belong here: what is unfinished is announced right after it.
  init()

  /// The first views come up.
  func appear()

  /// What the app shows its user now.
  var screen: DeviceScreen { get }

  /// A tap on the buy button. Returns when the purchase is over, or waits for approval.
  func buy(_ productID: String, quantity: Int) async

  /// A tap on the restore button.
  func restore() async

  /// A user of the app signs in; nil signs out. At a launch with a user it follows `init` at once.
  func signIn(user: UUID?) async
}

extension DeviceApp {
  public func appear() {}

  /// Buys the product and finishes the transaction when it is verified. An app with purchase code of its own calls that
  /// instead.
  public func buy(_ productID: String, quantity: Int) async {
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(.verified(let transaction)) = try? await product.purchase(options: [.quantity(quantity)])
    else { return }
    await transaction.finish()
  }

  public func restore() async { try? await AppStore.sync() }

  public func signIn(user: UUID?) async {}
}
