import Wire

/// What refuses, breaks or delays what the app asks for.
extension FleetDevice {
  // MARK: Errors

  /// Makes a part of StoreKit fail, before the store is asked.
  ///
  /// ```swift
  /// try await device.fail(.purchase, with: .networkError, times: 2)
  /// try await device.fail(.verification, with: .invalidSignature)
  /// ```
  ///
  /// - Parameter times: how often; nil until `works(_:)`.
  /// - Throws: when StoreKit cannot fail in this way there.
  public func fail(_ call: StoreKitCall, with failure: StoreKitFailure, times: Int? = nil) async throws {
    _ = try await tell(SetSimulatedError(api: call.api, failure: failure.simulated, times: times))
  }

  /// Ends what `fail` began.
  public func works(_ call: StoreKitCall) async throws {
    _ = try await tell(SetSimulatedError(api: call.api, failure: nil))
  }

  /// Whether the phone's user may buy, as parental controls say (Apple: `AppStore.canMakePayments`).
  public func allowPurchases(_ allowed: Bool) async throws { _ = try await tell(SetPurchasesAllowed(allowed: allowed)) }

  /// Whether purchases made on this phone are pending until `FleetAccount.resolve` (Apple: interrupted purchases).
  public func interruptPurchases(_ interrupts: Bool) async throws {
    _ = try await tell(SetInterruptedPurchases(on: interrupts))
  }

  // MARK: The network

  /// Puts a network between the phone and the App Store; `.good` takes it away.
  ///
  /// - Throws: when a percentage or a latency is out of its range.
  public func network(_ network: FleetNetwork) async throws {
    _ = try await tell(SetNetworkFaults(faults: network.faults))
  }

  /// Puts a bad network between the phone and the App Store: `network(.good)` ends it.
  ///
  /// ```swift
  /// try await device.network(latency: .milliseconds(200)...(.milliseconds(800)), events: .init(drop: 20))
  /// ```
  public func network(
    latency: ClosedRange<Duration>? = nil, events: FleetNetwork.Events? = nil,
    requests: FleetNetwork.Requests? = nil, blocked: FleetNetwork.Way? = nil, seed: UInt64? = nil
  ) async throws {
    try await network(
      FleetNetwork(latency: latency, events: events, requests: requests, blocked: blocked, seed: seed))
  }

  // MARK: Signed copies, and the phone's sync

  /// What is wrong with a signed copy of a transaction.
  public enum Tampering: String, Hashable, Sendable, CaseIterable {
    /// One byte of the payload is changed: `.unverified(_, .invalidSignature)`.
    case tampered
    /// Signed under another root: `.invalidCertificateChain`.
    case foreignRoot
    /// For another bundle id: `.invalidDeviceVerification`.
    case wrongBundle
    /// Not a JWS: `.invalidEncoding`.
    case unparsable
  }

  /// Spoils the next signed copies that the phone gets.
  public func tamper(_ tampering: Tampering, count: Int = 1) async throws {
    let fault: TamperCopies.Fault =
      switch tampering {
      case .tampered: .tampered
      case .foreignRoot: .foreignRoot
      case .wrongBundle: .wrongBundle
      case .unparsable: .unparsable
      }
    _ = try await tell(TamperCopies(fault: fault, count: count))
  }

  /// Loses the next events of the account on this phone, to see what a test makes of it.
  ///
  /// - Parameter catchesUp: whether the phone notices, and asks for what it missed. If not, it shows what is wrong, and
  ///   `Fleet.expectAgreement` names it.
  public func loseEvents(_ count: Int, catchesUp: Bool) async throws {
    _ = try await tell(BreakSync(dropUpdates: count, catchUp: catchesUp))
  }
}
