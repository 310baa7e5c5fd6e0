import DeviceApp
import Foundation

/// Apps with one mistake each, as they are found in the wild. The environment says which one this is.
@main
final class WrongWays: DeviceApp {
  private static let all: [String: any DeviceApp.Type] = [
    "lateListener": LateListener.self, "viewListener": ViewListener.self, "missingFinish": MissingFinish.self,
    "anyTransaction": AnyTransaction.self, "twoValues": TwoValues.self, "countedMonths": CountedMonths.self,
    "manageForAll": ManageForAll.self, "trialForAll": TrialForAll.self, "silentRestore": SilentRestore.self,
    "noExpiry": NoExpiry.self, "emptyMeansFree": EmptyMeansFree.self, "productionOnly": ProductionOnly.self,
    "unverifiedStays": UnverifiedStays.self,
  ]

  private let app: any DeviceApp

  init() {
    let name = ProcessInfo.processInfo.environment["WRONG_WAY"] ?? ""
    guard let way = Self.all[name] else {
      fatalError("WRONG_WAY is '\(name)': expected one of \(Self.all.keys.sorted().joined(separator: ", "))")
    }
    app = way.init()
  }

  func appear() { app.appear() }
  var screen: DeviceScreen { app.screen }
  func buy(_ productID: String, quantity: Int) async { await app.buy(productID, quantity: quantity) }
  func restore() async { await app.restore() }
  func signIn(user: UUID?) async { await app.signIn(user: user) }
}
