package import Wire

/// Who is in a fleet that only counts its devices: which account each belongs to, which client process it lives in.
package struct FleetPlan: Hashable, Sendable {
  package let world: String
  package let devices: Int
  package let clients: Int
  package let devicesPerAccount: Int

  /// There are never more client processes than devices.
  package init(world: String, devices: Int, devicesPerAccount: Int, clients: Int) {
    self.world = world
    self.devices = max(1, devices)
    self.clients = max(1, min(clients, devices))
    self.devicesPerAccount = max(1, devicesPerAccount)
  }

  package var accounts: [String] { (0...(devices - 1) / devicesPerAccount).map { "account-\($0 + 1)" } }

  package func account(ofDevice index: Int) -> String { "account-\(index / devicesPerAccount + 1)" }

  /// The devices of each client process. Those of one account live in different processes wherever there are enough of
  /// them, so that what one buys has to travel to reach another.
  package var seats: [[DeviceRegistration]] {
    var seats = [[DeviceRegistration]](repeating: [], count: clients)
    for index in 0..<devices {
      let device = DeviceRegistration(world: world, device: "device-\(index + 1)", account: account(ofDevice: index))
      seats[index % clients].append(device)
    }
    return seats
  }

  package var accountOfDevice: [String: String] {
    Dictionary(uniqueKeysWithValues: (0..<devices).map { ("device-\($0 + 1)", account(ofDevice: $0)) })
  }
}
