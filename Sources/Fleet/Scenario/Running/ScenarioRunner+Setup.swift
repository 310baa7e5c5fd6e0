import Foundation
import Shared
import Wire

extension ScenarioRunner {
  /// Makes the world, its accounts and families, starts the clients, and launches what starts launched.
  func setUp(_ players: Players) async throws {
    let world = scenario.world
    _ = try await driver.ask(
      CreateWorld(
        catalog: scenario.catalog.text, bundleId: world.bundleId, environment: world.environment,
        clock: clockBeforeTheStory, timeRate: world.timeRate, seed: world.seed, gracePeriod: world.gracePeriod,
        claimPolicy: world.claimPolicy, familyGrantDelay: world.familyGrantDelay.map { $0.wholeMilliseconds },
        habits: world.habits, notificationURLs: world.notificationURLs),
      of: view.world)
    for account in scenario.accounts {
      _ = try await driver.ask(OpenAccount(account: account.name, asksToBuy: account.asksToBuy), of: view.world)
    }
    for family in scenario.families {
      let address = view.address(.family, family.name)
      _ = try await driver.ask(CreateFamily(organizer: family.organizer), of: address)
      for member in family.members where member != family.organizer {
        _ = try await driver.ask(JoinFamily(account: member), of: address)
      }
    }
    try await playPrelude()
    try await driver.startClients(
      (1...scenario.clients).map { number in
        scenario.devices.filter { $0.client == number }.map {
          DeviceRegistration(world: world.name, device: $0.name, account: $0.account)
        }
      })
    try await launch(scenario.devices.filter(\.startsLaunched).map(\.name), players)
    // The story begins with every device in step: one that still loads would take the first events for its past.
    _ = try await driver.ask(Settle(), of: view.world)
  }

  /// A manual clock starts with the first thing that happened before the story.
  private var clockBeforeTheStory: ClockMode {
    guard case .manual = scenario.world.clock, let first = scenario.prelude.first else { return scenario.world.clock }
    return .manual(startsAt: first.at)
  }

  /// Brings the accounts into the states that the scenario says, by ordinary commands in the past, and moves the clock
  /// to where the story begins.
  private func playPrelude() async throws {
    guard case .manual(let begin) = scenario.world.clock, !scenario.prelude.isEmpty else { return }
    for step in scenario.prelude {
      _ = try await driver.ask(AdvanceClock(.to(step.at)), of: view.world)
      do {
        try await step.play(on: view.address(.account, step.account), asking: driver)
      } catch {
        throw StepFailure(
          message: "the state of \(step.account) (\(scenario.shortName(step.productId))) cannot be made: \(error)",
          accounts: [step.account])
      }
    }
    _ = try await driver.ask(AdvanceClock(.to(begin)), of: view.world)
  }

  /// Launches apps and signs their users in again: an app remembers its user.
  func launch(_ devices: [String], _ players: Players) async throws {
    try await eachDevice(devices) { device in
      _ = try await driver.ask(LaunchDevice(), of: view.address(.device, device))
      if let token = players.signedIn[device] {
        _ = try await driver.ask(SignInUser(appAccountToken: token), of: view.address(.device, device))
      }
    }
  }

  /// Does the same on each device; the first failure names its device.
  func eachDevice(_ devices: [String], _ body: @escaping @Sendable (String) async throws -> Void) async throws {
    _ = try await Concurrently.map(devices) { device in
      do { try await body(device) } catch let failure as StepFailure {
        throw failure
      } catch {
        let account = scenario.device(device)?.account
        throw StepFailure(message: "\(device): \(error)", accounts: account.map { [$0] } ?? [])
      }
    }
  }
}
