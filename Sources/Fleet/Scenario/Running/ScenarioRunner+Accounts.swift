import Shared
import Wire

extension ScenarioRunner {
  func play(_ action: AccountAction, _ account: String) async throws {
    switch action {
    case .redeem(let product, let code, let offer):
      try await tell(RedeemCode(productId: product, code: code, referenceName: offer), account)
    case .setToken(let user, let product):
      guard let token = scenario.user(user)?.token else { return }
      let records = AccountHistory(try await view.journal(account)).records
      guard let record = records.last(where: { $0.productId == product && $0.inAppOwnershipType == .purchased }) else {
        throw StepFailure(
          message: "\(account) has bought no \(scenario.shortName(product)): there is nothing to give a token",
          accounts: [account])
      }
      let request = SetAppAccountToken(originalTransactionId: record.originalTransactionId, appAccountToken: token)
      try await tell(request, account)
    case .tellConsumption(let product, let information):
      let history = AccountHistory(try await view.journal(account))
      guard let open = history.openRefund(of: product) else {
        throw StepFailure(
          message: "\(account) does not ask for money back for \(scenario.shortName(product)): "
            + "nobody wants to know what was used of it", accounts: [account])
      }
      let request = SendConsumptionInformation(transactionId: open, information: .v2(information))
      try await tell(request, account)
    case .moveTo(let storefront): try await tell(SetStorefront(storefront: storefront), account)
    case .reset: try await tell(ResetAccount(), account)
    }
  }
}
