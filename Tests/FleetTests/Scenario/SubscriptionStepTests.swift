import Shared
import Testing

@testable import Fleet

struct SubscriptionStepTests {
  @Test(
    arguments: [
      (
        #"{refund: "com.example.app.lifetime", account: "zoe", percent: 40}"#,
        "refund w/account/zoe", #""percentage":40000"#
      ),
      (#"{bill: "fail", account: "zoe"}"#, "setBilling w/account/zoe", #""fails":true"#),
      (
        #"{bill: "recover", product: "com.example.app.basic.monthly", account: "zoe"}"#, "setBilling w/account/zoe",
        #""productId":"com.example.app.basic.monthly""#
      ),
      (
        #"{priceIncrease: "com.example.app.basic.monthly", to: "2.99", consent: true, account: "zoe"}"#,
        "requestPriceIncrease w/account/zoe", #""priceMilliunits":2990"#
      ),
      (#"{priceIncrease: "decline", account: "zoe"}"#, "answerPriceIncrease w/account/zoe", #""agree":false"#),
      (
        #"{extend: "com.example.app.basic.monthly", days: 30, reason: "outage", account: "zoe"}"#,
        "extendSubscription w/account/zoe", #""reason":3"#
      ),
      (#"{timeRate: "testFlight"}"#, "setTimeRate w/world/w", #""timeRate":"testFlight""#),
      (#"{habits: "field,coldStartEmpty=off"}"#, "setHabits w/world/w", #""profile":"field""#),
      (#"{habits: {lateListing: 800}}"#, "setHabits w/world/w", #""lateListing":800"#),
      (#"{requestRefund: "com.example.app.lifetime", account: "zoe"}"#, "requestRefund w/account/zoe", "lifetime"),
      (#"{declineRefund: "com.example.app.lifetime", account: "zoe"}"#, "declineRefund w/account/zoe", "lifetime"),
      (#"{reverseRefund: "com.example.app.lifetime", account: "zoe"}"#, "reverseRefund w/account/zoe", "lifetime"),
    ] as [(String, String, String)])
  func stepAsksTheActorThatItIsAbout(step: String, request: String, part: String) async throws {
    let fleet = FakeFleet()
    let scenario = try ScenarioText.read(ScenarioText.story(step))
    let outcome = await ScenarioRunner(scenario: scenario, driver: fleet).run()
    #expect(outcome.failures.isEmpty)
    #expect(fleet.acts.last?.hasPrefix(request) == true, "\(fleet.acts.last ?? "")")
    #expect(fleet.acts.last?.contains(part) == true, "\(fleet.acts.last ?? "")")
  }
}
