import Foundation

/// What a runner remembers of the cast while it plays.
struct Players {
  /// The token of the user who is signed in on each device.
  var signedIn: [String: UUID] = [:]

  init(_ scenario: Scenario) {
    for device in scenario.devices {
      if let user = device.user { signedIn[device.name] = scenario.user(user)?.token }
    }
  }
}
