public import Foundation
public import StoreKit

/// Controls the App Store that the tests of this process buy from.
///
/// All sessions of a process share one store and one device, whose app is the test process; the trait `storeKitWorld`
/// gives a test a store of its own. Every member returns when its effect shows on the devices: nothing has to be waited
/// for. Safe to use from any thread: a session holds nothing that changes.
///
/// Apple: https://developer.apple.com/documentation/storekittest/sktestsession
open class SKTestSession: NSObject, @unchecked Sendable {
  let world: TestWorld

  /// Opens a session on a configuration file that is found by its name, with or without `.storekit`: among the resources
  /// of the calling target and in its folders, among those of the process's bundles and of other targets, then in the
  /// current folder, then in the package.
  /// - Throws: `SKTestError.fileNotFound` with the places that were looked at, or the mistakes of the file.
  public convenience init(
    configurationFileNamed filename: String, fileID: String = #fileID, filePath: String = #filePath
  ) throws {
    let caller = SourcePlace(fileID: fileID, filePath: filePath)
    try self.init(contentsOf: try ConfigurationSearch(name: filename, caller: caller).find())
  }

  /// Opens a session on a configuration file.
  /// - Throws: `SKTestError.invalidURL`, `.fileNotFound`, or the mistakes of the file.
  public init(contentsOf fileURL: URL) throws {
    let configuration = try StoreKitConfiguration(contentsOf: fileURL)
    world = try TestWorld.current(configuration)
    super.init()
    try world.adopt(configuration)
  }

  // MARK: Reset

  /// Gives every property the value that the configuration file has, and ends simulated errors. What was bought stays:
  /// see `clearTransactions()`.
  open func resetToDefaultState() { world.reset() }

  /// Removes everything that was bought, by families too.
  open func clearTransactions() { world.clear() }

  /// What was bought, and what waits for somebody; the newest first.
  open func allTransactions() -> [SKTestTransaction] { world.transactions(of: TestWorld.ownAccount) }

  // MARK: Settings

  /// Whether purchases wait for `approveAskToBuyTransaction(identifier:)`.
  open var askToBuyEnabled: Bool {
    get { world.settings.askToBuyEnabled }
    set { world.change { $0.askToBuyEnabled = newValue } }
  }

  /// There are no dialogs here, in either case.
  open var disableDialogs: Bool {
    get { world.settings.disableDialogs }
    set { world.change { $0.disableDialogs = newValue } }
  }

  /// Whether purchases wait for `resolveIssueForTransaction(identifier:)`.
  open var interruptedPurchasesEnabled: Bool {
    get { world.settings.interruptedPurchasesEnabled }
    set { world.change { $0.interruptedPurchasesEnabled = newValue } }
  }

  /// Whether the store cannot charge for renewals. What is in billing retry by then stays there until its issue is
  /// resolved.
  open var shouldEnterBillingRetryOnRenewal: Bool {
    get { world.settings.shouldEnterBillingRetryOnRenewal }
    set { world.change { $0.shouldEnterBillingRetryOnRenewal = newValue } }
  }

  /// Whether access stays for a while when a renewal fails: 16 days, 6 for weekly plans, or as the time rate has it.
  open var billingGracePeriodIsEnabled: Bool {
    get { world.settings.billingGracePeriodIsEnabled }
    set { world.change { $0.billingGracePeriodIsEnabled = newValue } }
  }

  /// Where the account buys, ISO 3166-1 alpha-3. Anything else changes nothing.
  open var storefront: String {
    get { world.settings.storefront }
    set { world.change { $0.storefront = newValue } }
  }

  /// The language of names and prices.
  open var locale: Locale {
    get { Locale(identifier: world.settings.locale) }
    set { world.change { $0.locale = newValue.identifier } }
  }

  /// How fast subscription periods pass from now on; periods that run keep their ends.
  open var timeRate: TimeRate {
    get { world.settings.timeRate }
    set { world.change { $0.timeRate = newValue } }
  }

  /// Whether purchases fail with `failureError`. Apple has deprecated it: use `setSimulatedError(_:forAPI:)`.
  open var failTransactionsEnabled: Bool {
    get { world.settings.failTransactionsEnabled }
    set { world.change { $0.failTransactionsEnabled = newValue } }
  }

  open var failureError: SKError.Code {
    get { world.settings.failureError }
    set { world.change { $0.failureError = newValue } }
  }
}
