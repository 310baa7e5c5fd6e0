import Shared
import Wire

extension ScenarioRunner {
  func play(_ action: NotificationAction) async throws {
    switch action {
    case .sendTo(let url):
      let endpoint = url.map { NotificationEndpoint(url: $0) }
      _ = try await driver.ask(SetNotificationURL(endpoint), of: view.world)
    case .test: _ = try await driver.ask(RequestTestNotification(), of: .notifications(of: scenario.world.name))
    case .fault(let fault):
      _ = try await driver.ask(SetNotificationFault(fault), of: .notifications(of: scenario.world.name))
    }
  }
}
