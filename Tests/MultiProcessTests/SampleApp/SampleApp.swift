import DeviceApp
import Foundation
import Observation
import StoreKit

/// An app as a user of Storefleet has one, with a few things to look at from outside.
///
/// Its message says what the process finds: `launches` counted in `UserDefaults` and in a suite of them, the main thread, `Date()`.
@main
@Observable
final class SampleApp: DeviceApp {
  private(set) var access = DeviceScreen.Access.unknown
  private(set) var entitled: [String] = []
  private var expirations: [String: Date] = [:]
  private let launches: Int
  private let suiteLaunches: Int
  /// What the App Store had to say to the app's user.
  private var heard: [String] = []

  init() {
    let environment = ProcessInfo.processInfo.environment
    if let way = environment["SAMPLE_CRASHES_AT_LAUNCH"] { fatalError("the sample app does not like \(way)") }
    if environment["SAMPLE_HANGS_AT_LAUNCH"] != nil { Thread.sleep(forTimeInterval: 3_600) }
    launches = UserDefaults.standard.integer(forKey: "launches") + 1
    UserDefaults.standard.set(launches, forKey: "launches")
    let suite = UserDefaults(suiteName: "group.sample")
    suiteLaunches = (suite?.integer(forKey: "launches") ?? 0) + 1
    suite?.set(suiteLaunches, forKey: "launches")
    Task.immediate {
      for await result in Transaction.updates {
        await read()
        await result.unsafePayloadValue.finish()
      }
    }
    Task { await read() }
    Task { for await message in Message.messages { heard.append("message \(message.reason.rawValue)") } }
    Task { for await intent in PurchaseIntent.intents { heard.append("intent \(intent.product.id)") } }
  }

  private func read() async {
    var found: [String: Date] = [:]
    for await case .verified(let transaction) in Transaction.currentEntitlements {
      found[transaction.productID] = transaction.expirationDate ?? .distantFuture
    }
    expirations = found
    access = .locked
  }

  var screen: DeviceScreen {
    // What is shown depends on the time at which it is looked at, as on a phone.
    let entitled = expirations.filter { $0.value > Date() }.keys.sorted()
    let shown: DeviceScreen.Access = access == .unknown ? .unknown : entitled.isEmpty ? .locked : .unlocked
    return DeviceScreen(
      access: shown, entitled: entitled,
      message:
        "launches \(launches), in the suite \(suiteLaunches), main thread \(Thread.isMainThread), heard \(heard), year \(Calendar(identifier: .gregorian).component(.year, from: Date()))"
    )
  }

  func buy(_ productID: String, quantity: Int) async {
    if productID.hasSuffix("crash") { fatalError("the sample app was asked to crash") }
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(let result) = try? await product.purchase()
    else { return }
    await read()
    await result.unsafePayloadValue.finish()
  }
}
