import Shared
import Wire

extension ScenarioRunner {
  func play(_ action: FaultAction, _ target: FaultTarget) async throws {
    switch action {
    case .gate(let gate): try await tell(gate, target)
    case .fail(let error): try await tell(error, target)
    case .allowPurchases(let allowed): try await tell(SetPurchasesAllowed(allowed: allowed), target)
    case .network(let faults): try await tell(SetNetworkFaults(faults: faults), target)
    case .interrupt(let on): try await interrupt(on, target)
    }
  }

  private func tell(_ request: some Request, _ target: FaultTarget) async throws {
    switch target {
    case .devices(let devices): try await tellDevices(devices, request)
    case .account(let account): _ = try await driver.ask(request, of: view.address(.account, account))
    case .client(let number): _ = try await driver.ask(request, of: view.address(.node, "client-\(number)"))
    case .world:
      let told = try await driver.ask(AllDevices(request), of: view.world)
      if let failure = told.failure { throw StepFailure(message: failure) }
    }
  }

  /// The world itself has such a switch, which counts for accounts and devices to come too.
  private func interrupt(_ on: Bool, _ target: FaultTarget) async throws {
    let request = SetInterruptedPurchases(on: on)
    if target == .world {
      _ = try await driver.ask(request, of: view.world)
    } else {
      try await tell(request, target)
    }
  }
}
