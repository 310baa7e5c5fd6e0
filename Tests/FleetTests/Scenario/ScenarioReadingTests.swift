import Foundation
import Shared
import Testing
import Wire

@testable import Fleet

struct ScenarioReadingTests {
  @Test(arguments: ["demo", "broken-sync", "family", "offline", "ask-to-buy", "billing", "price-increase", "field"])
  func everyScenarioOfTheRepositoryIsValid(name: String) throws {
    let scenario = try ScenarioText.load(ScenarioText.repository.appending(path: "Scenarios/\(name).json5"))
    #expect(!scenario.steps.isEmpty)
    #expect(scenario.world.name == name)
  }

  @Test func theDemoHasTwoFamiliesAndTwentyFourDevicesInThreeClients() throws {
    let demo = try ScenarioText.load(ScenarioText.repository.appending(path: "Scenarios/demo.json5"))
    #expect(demo.devices.count == 24)
    #expect(demo.families.map(\.name) == ["smith", "jones"])
    #expect(Set(demo.devices.map(\.client)) == [1, 2, 3])
  }

  @Test func theExampleOfEachStepCanBeReadAndIsDocumented() throws {
    let guide = try String(contentsOf: ScenarioText.repository.appending(path: "docs/scenarios.md"), encoding: .utf8)
    for verb in StepVerb.all {
      #expect(guide.contains(verb.example), "docs/scenarios.md lacks \(verb.example)")
      let text = ScenarioText.story(verb.example).replacing(
        "devices: [", with: #"devices: [{name: "alice-pad", account: "alice"}, "#)
      let scenario = try ScenarioText.read(text)
      #expect(scenario.steps.count == 1)
    }
  }

  @Test func devicesAreSpreadRoundRobinUnlessTheyNameTheirClient() throws {
    let scenario = try ScenarioText.read(
      """
      {catalog: "Demo.storekit", clients: 3, accounts: [{name: "a"}], steps: [],
       devices: [{name: "x-{n}", count: 4, account: "a"}, {name: "y", account: "a", client: 3, start: "off"}]}
      """)
    #expect(scenario.devices.map(\.name) == ["x-1", "x-2", "x-3", "x-4", "y"])
    #expect(scenario.devices.map(\.client) == [1, 2, 3, 1, 3])
    #expect(scenario.devices.map(\.startsLaunched) == [true, true, true, true, false])
  }

  @Test func devicesWithAnAppAreAProcessEachUnlessTheyArePacked() throws {
    func scenario(_ keys: String) throws -> Scenario {
      try ScenarioText.read(
        """
        {catalog: "Demo.storekit", \(keys), accounts: [{name: "a"}], steps: [{skew: "-90m", on: "x-1"}],
         devices: [{name: "x-{n}", count: 5, account: "a"}]}
        """)
    }
    let own = try scenario(#"app: "../build/MyApp""#)
    #expect(own.app?.path == ScenarioText.repository.appending(path: "build/MyApp").path)
    #expect(own.devices.map(\.client) == [1, 2, 3, 4, 5])
    #expect(own.clients == 5)
    #expect(own.steps.map(\.action) == [.skew(.seconds(-5_400), devices: ["x-1"])])
    let packed = try scenario(#"app: "/bin/MyApp", devicesPerProcess: 2"#)
    #expect(packed.app?.path == "/bin/MyApp")
    #expect(packed.devices.map(\.client) == [1, 1, 2, 2, 3])
    #expect(packed.clients == 3)
  }

  @Test func anAppAndItsProcessesExcludeClients() {
    let mistakes = ScenarioText.mistakes(
      #"{catalog: "Demo.storekit", app: "MyApp", clients: 2, accounts: [], devices: [], steps: []}"#)
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.contains("leave out 'clients', or say 'devicesPerProcess'") == true)
  }

  @Test func aUserWithoutATokenAlwaysGetsTheSameOne() throws {
    let text = #"{catalog: "Demo.storekit", users: [{name: "ann"}, {name: "ben"}], steps: []}"#
    let tokens = try ScenarioText.read(text).users.map(\.token)
    #expect(
      tokens.map(\.uuidString) == ["E6F79D19-051F-8CB8-BB82-89F7411F5517", "002B1819-132C-892A-861F-D2F747B02A41"])
  }

  @Test func aBuyWhereFinishIsHeldDoesNotWait() throws {
    let scenario = try ScenarioText.read(
      ScenarioText.story(
        """
        {hold: "finish", on: "alice-phone"},
        {buy: "com.example.app.lifetime", on: "alice-phone"},
        {release: "finish", on: "alice-phone"},
        {buy: "com.example.app.lifetime", on: "alice-phone"},
        """))
    let waits = scenario.steps.compactMap { step in
      if case .buy(let buy) = step.action { buy.waits } else { nil }
    }
    #expect(waits == [false, true])
  }

  @Test func stepsBecomeTheirActions() throws {
    let scenario = try ScenarioText.read(
      ScenarioText.story(
        """
        {advance: "1w2d"}, {advance: {to: "2026-02-01"}}, {advance: "nextEvent"},
        {refund: "com.example.app.lifetime", account: "alice", reason: "appIssue"},
        {leave: "kid"}, {join: "kid", family: "smith"},
        {expect: {account: "alice", unfinished: ["com.example.app.coins"]}, within: "2s", say: "soon"},
        """))
    var wanted = DeviceExpectation()
    wanted.unfinished = .products(["com.example.app.coins"])
    #expect(
      scenario.steps.map(\.action) == [
        .advance(.by(.seconds(9 * 86_400))), .advance(.to(StoreTime(milliseconds: 1_769_904_000_000))),
        .advance(.nextEvent), .refund(productId: "com.example.app.lifetime", account: "alice", reason: 1, percent: nil),
        .leave(account: "kid", family: "smith"), .join(account: "kid", family: "smith"),
        .expect(.devices(["alice-phone"], wanted), within: .seconds(2)),
      ])
    #expect(scenario.steps.last?.say == "soon")
    #expect(scenario.steps.map(\.position.line) == [8, 8, 8, 9, 10, 10, 11])
  }

  @Test func withoutACatalogueTheWorldSellsTheBuiltInOne() throws {
    let text = """
      {
        accounts: [{name: "alice"}], devices: [{name: "phone", account: "alice"}],
        steps: [{buy: "com.example.app.lifetime", on: "phone"}],
      }
      """
    let scenario = try Scenario.read(Data(text.utf8), file: "story.json5", folders: [])
    #expect(scenario.catalog.productIds.contains("com.example.app.lifetime"))
  }
}
