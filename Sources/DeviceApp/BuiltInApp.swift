public import Observation
public import StoreKit

/// A small app whose transaction listener does everything right: what runs on a device that brings no app of its own.
///
/// - It listens from its launch on, and reads what was unfinished before.
/// - It finishes every transaction, verified or not; only verified ones entitle to anything.
/// - Access is unknown until the first reading of `Transaction.currentEntitlements` has ended. When that was empty, it
///   waits for the store to load and reads again: the store may have been asked too early.
/// - A listing may lag behind an announcement, so it reads again until what was announced is there.
/// - An expiry makes no transaction, so a change of a status makes it read again as well.
@Observable
public final class BuiltInApp: DeviceApp {
  public private(set) var access = DeviceScreen.Access.unknown
  /// What the user may use, in order of their ids.
  public private(set) var entitled: [String] = []
  public private(set) var familyShared: [String] = []
  public private(set) var phase = DeviceScreen.Phase.idle
  public private(set) var restoreOutcome: DeviceScreen.RestoreOutcome?
  public private(set) var message: String?
  /// How many of each consumable the user has been given.
  public private(set) var balance: [String: Int] = [:]

  /// The consumable transactions that were granted. A later delivery of one of them changes nothing.
  @ObservationIgnored private var granted: Set<UInt64> = []
  @ObservationIgnored private var products: [String: Product] = [:]
  @ObservationIgnored private var user: UUID?
  @ObservationIgnored private var listeners: [Task<Void, Never>] = []
  @ObservationIgnored private let entitlementReading = SerialReading()
  /// Whether an empty reading means that nothing is owned.
  @ObservationIgnored private var hasLoaded = false
  @ObservationIgnored private var rereading: Task<Void, Never>?

  public init() {
    // Immediate: the iterators are there before this initializer returns, however busy the machine is.
    listeners = [
      Task.immediate { [weak self] in
        for await result in Transaction.updates { await self?.receive(result) }
      },
      Task.immediate { [weak self] in
        for await _ in SubscriptionStatus.updates { await self?.readEntitlements() }
      },
      Task { [weak self] in
        await self?.readEntitlements()
        for await result in Transaction.unfinished { await self?.receive(result) }
      },
    ]
  }

  deinit {
    for listener in listeners { listener.cancel() }
    rereading?.cancel()
  }

  public var screen: DeviceScreen {
    DeviceScreen(
      access: access, entitled: entitled, familyShared: familyShared, phase: phase, restore: restoreOutcome,
      message: message)
  }

  public func signIn(user: UUID?) async { self.user = user }

  // MARK: Transactions

  /// Every transaction ends here: bought on this device, announced, or left over from before.
  private func receive(_ result: VerificationResult<Transaction>) async {
    let transaction = result.unsafePayloadValue
    if case .verified = result { deliver(transaction) }
    await readEntitlements()
    if case .verified = result, isMissing(transaction) { readUntilListed(transaction.productID) }
    // Last, so that a crash before this line makes the transaction come again rather than get lost.
    await transaction.finish()
  }

  private func deliver(_ transaction: Transaction) {
    guard transaction.productType == .consumable else { return }
    if transaction.revocationDate != nil {
      guard granted.remove(transaction.id) != nil else { return }
      balance[transaction.productID, default: 0] -= transaction.purchasedQuantity
    } else if granted.insert(transaction.id).inserted {
      balance[transaction.productID, default: 0] += transaction.purchasedQuantity
    }
  }

  // MARK: Entitlements

  private func readEntitlements() async {
    await entitlementReading.run { [weak self] in
      var (own, shared) = await Self.listed()
      if own.isEmpty, shared.isEmpty, self?.hasLoaded == false {
        if (try? await AppStore.load()) != nil { self?.hasLoaded = true }
        (own, shared) = await Self.listed()
      }
      self?.show(own: own, shared: shared)
    }
  }

  /// The products that the store lists. One that was upgraded is no reason to unlock, though it may be listed still.
  private static func listed() async -> (own: Set<String>, shared: Set<String>) {
    var own: Set<String> = []
    var shared: Set<String> = []
    for await result in Transaction.currentEntitlements {
      guard case .verified(let transaction) = result, transaction.revocationDate == nil, !transaction.isUpgraded,
        transaction.productType != .consumable
      else { continue }
      if transaction.ownershipType == .familyShared {
        shared.insert(transaction.productID)
      } else {
        own.insert(transaction.productID)
      }
    }
    return (own, shared)
  }

  /// Whether a transaction that entitles to something is not listed yet.
  private func isMissing(_ transaction: Transaction) -> Bool {
    guard transaction.productType != .consumable, transaction.revocationDate == nil, !transaction.isUpgraded else {
      return false
    }
    // One that was over when it was signed will never be listed.
    return !entitled.contains(transaction.productID)
      && transaction.expirationDate.map { $0 > transaction.signedDate } ?? true
  }

  private func readUntilListed(_ product: String) {
    rereading?.cancel()
    rereading = Task { [weak self] in
      for milliseconds in [250, 500, 1_000, 2_000, 4_000] {
        guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil, let self else { return }
        await readEntitlements()
        if entitled.contains(product) { return }
      }
    }
  }

  private func show(own: Set<String>, shared: Set<String>) {
    entitled = own.union(shared).sorted()
    familyShared = shared.subtracting(own).sorted()
    access = entitled.isEmpty ? .locked : .unlocked
  }

  // MARK: Taps

  public func buy(_ productID: String, quantity: Int) async {
    phase = .purchasing
    message = nil
    do {
      var options: Set<Product.PurchaseOption> = [.quantity(quantity)]
      if let user { options.insert(.appAccountToken(user)) }
      switch try await product(productID).purchase(options: options) {
      case .success(let result):
        await receive(result)
        _ = try result.payloadValue
        phase = .completed
      case .pending: phase = .awaitingApproval
      case .userCancelled: phase = .idle
      }
    } catch StoreKitError.userCancelled {
      phase = .idle
    } catch {
      phase = .failed
      message = error.localizedDescription
    }
  }

  private func product(_ id: String) async throws -> Product {
    if let product = products[id] { return product }
    guard let product = try await Product.products(for: [id]).first else {
      throw Product.PurchaseError.productUnavailable
    }
    products[id] = product
    return product
  }

  public func restore() async {
    restoreOutcome = nil
    do {
      try await AppStore.sync()
      await readEntitlements()
      restoreOutcome = entitled.isEmpty ? .nothingToRestore : .restored
    } catch StoreKitError.userCancelled {
      restoreOutcome = .cancelled
    } catch {
      restoreOutcome = .failed
      message = error.localizedDescription
    }
  }
}
