import ClientNode
import Observation
import StoreKit
import Wire

/// The app that runs on the devices of a load run: a transaction listener as apps have it, with a stopwatch.
///
/// Observable so that the phone knows that its screen never changes.
@Observable
package final class LoadApp: DeviceApp {
  @ObservationIgnored private var listener: Task<Void, Never>?
  @ObservationIgnored private var product: Product?
  @ObservationIgnored private let recorder: LoadRecorder?
  @ObservationIgnored private let daemon: (any StoreDaemon)?
  @ObservationIgnored private let device: UInt32

  package init() {
    let recorder = LoadRecorder.current
    let daemon = CurrentDevice.daemon
    let device = daemon.flatMap { recorder?.index(of: $0.device.name) } ?? 0
    self.recorder = recorder
    self.daemon = daemon
    self.device = device
    listener = Task.detached {
      for await result in Transaction.updates {
        let now = MonotonicTime.now.microseconds
        // An unverified transaction is finished as well, but nothing was delivered with it.
        if case .verified(let transaction) = result {
          recorder?.delivered(transaction.id, to: device, now: now)
        }
        await result.unsafePayloadValue.finish()
      }
    }
  }

  isolated deinit { listener?.cancel() }

  package var screen: DeviceScreen { DeviceScreen() }

  /// Loads the product, so that a purchase needs nothing more.
  func prepare(_ productID: String) async throws {
    try await CurrentDevice.$daemon.withValue(daemon) {
      guard let product = try await Product.products(for: [productID]).first else {
        throw Product.PurchaseError.productUnavailable
      }
      self.product = product
    }
  }

  /// Buys what was prepared, and finishes it.
  func buy(intendedAt: Int64) async {
    do {
      guard let product else { throw Product.PurchaseError.productUnavailable }
      let result = try await CurrentDevice.$daemon.withValue(daemon) {
        try await CurrentDevice.$intendedAt.withValue(intendedAt) { try await product.purchase() }
      }
      let now = MonotonicTime.now.microseconds
      guard case .success(.verified(let transaction)) = result else {
        recorder?.failed("a purchase ended as \(result.name) instead of a verified transaction", now: now)
        return
      }
      recorder?.bought(transaction.id, on: device, intendedAt: intendedAt, now: now)
      await transaction.finish()
    } catch {
      recorder?.failed(error.localizedDescription, now: MonotonicTime.now.microseconds)
    }
  }
}

extension Product.PurchaseResult {
  fileprivate var name: String {
    switch self {
    case .success: "an unverified transaction"
    case .pending: "pending"
    case .userCancelled: "cancelled"
    }
  }
}
