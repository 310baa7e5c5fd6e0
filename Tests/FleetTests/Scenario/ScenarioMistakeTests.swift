import Testing

@testable import Fleet

/// The exact words of a bad scenario's mistakes.
struct ScenarioMistakeTests {
  private static let stepMistakes: [(step: String, message: String)] = [
    (
      #"{buy: "com.example.app.lifetime", on: "alice-phon"}"#,
      "8:43: step 1 (buy): there is no device 'alice-phon': did you mean 'alice-phone'?"
    ),
    (
      #"{buy: "lifetime", on: "alice-phone"}"#,
      "8:11: step 1 (buy): Demo.storekit has no product 'lifetime': did you mean 'com.example.app.lifetime'?"
    ),
    (
      #"{buy: "com.example.app.lifetime", onn: "alice-phone", account: "zoe"}"#,
      "8:39: step 1 (buy): unknown key 'onn': did you mean 'on'?"
    ),
    (
      #"{buy: "com.example.app.lifetime"}"#,
      "8:5: step 1 (buy): a purchase needs either 'on' (a device) or 'account' (in the App Store itself)"
    ),
    (
      #"{buy: "com.example.app.lifetime", on: "alice-phone", quantity: "two"}"#,
      #"8:68: step 1 (buy): 'quantity' is "two": expected a whole number, 1 to 10"#
    ),
    (
      #"{refund: "com.example.app.lifetime", account: "bert"}"#,
      "8:51: step 1 (refund): there is no account 'bert': there are alice, kid, zoe"
    ),
    (#"{refund: "com.example.app.lifetime"}"#, "8:5: step 1 (refund): 'account' is missing"),
    (#"{refnd: "com.example.app.lifetime"}"#, "8:6: step 1: unknown step 'refnd': did you mean 'refund'?"),
    (
      #"{kill: "kid-pad", launch: "kid-pad"}"#, "8:5: step 1: a step does one thing, not 'kill' and 'launch'"
    ),
    (#""restore""#, #"8:5: step 1: found "restore", expected a step in { }"#),
    (#"{leave: "zoe"}"#, "8:13: step 1 (leave): 'zoe' is in no family at this point"),
    (
      #"{join: "kid", family: "smith"}"#,
      "8:12: step 1 (join): 'kid' is in the family 'smith' at this point: let it leave first"
    ),
    (
      #"{advance: "31 days"}"#,
      "8:15: step 1 (advance): '31 days' has the unknown unit ' days': use ms, s, m, h, d or w"
    ),
    (
      #"{advance: {to: "tomorrow"}}"#,
      "8:15: step 1 (advance): the clock cannot move to 'tomorrow': write an instant in UTC like "
        + "2026-01-01T00:00:00Z, or a day like 2026-01-01"
    ),
    (
      #"{tamper: "foreignroot", on: "kid-pad"}"#,
      "8:14: step 1 (tamper): 'tamper' is 'foreignroot': did you mean 'foreignRoot'?"
    ),
    (#"{bill: "fial", account: "zoe"}"#, "8:12: step 1 (bill): 'bill' is 'fial': did you mean 'fail'?"),
    (
      #"{priceIncrease: "com.example.app.basic.monthly", to: "cheap", account: "zoe"}"#,
      #"8:58: step 1 (priceIncrease): 'to' is 'cheap': expected a price such as "6.99""#
    ),
    (
      #"{priceIncrease: "agree", to: "6.99", account: "zoe"}"#,
      "8:34: step 1 (priceIncrease): 'to' belongs to the increase, not to the answer"
    ),
    (
      #"{extend: "com.example.app.basic.monthly", days: 91, account: "zoe"}"#,
      "8:53: step 1 (extend): 'days' is 91: expected a whole number, 1 to 90"
    ),
    (
      #"{timeRate: "monthlyRenewalEveryFiveMinute"}"#,
      "8:16: step 1 (timeRate): 'timeRate' is 'monthlyRenewalEveryFiveMinute': "
        + "did you mean 'monthlyRenewalEveryFiveMinutes'?"
    ),
    (
      #"{habits: {coldStartEmty: true}}"#,
      "8:15: step 1 (habits): there is no habit 'coldStartEmty': did you mean 'coldStartEmpty'?"
    ),
    (#"{habits: "feild"}"#, "8:14: step 1 (habits): there is no habit or profile 'feild': did you mean 'field'?"),
    (
      #"{habits: {lateListing: true}}"#,
      "8:15: step 1 (habits): habit 'lateListing' is 'on': expected a whole number, 0 to 900000"
    ),
    (
      #"{skew: "2y", on: "kid-pad"}"#,
      "8:12: step 1 (skew): '2y' has the unknown unit 'y': use ms, s, m, h, d or w"
    ),
    (#"{client: 3, do: "kill"}"#, "8:14: step 1 (client): 'client' is 3: expected a whole number, 1 to 2"),
    (
      #"{expect: {device: "kid-pad"}}"#,
      "8:14: step 1 (expect): nothing is expected: add entitlements, access, updates, noUpdates, unfinished, phase, "
        + "restore or waitsAt"
    ),
    (
      #"{expect: {device: "kid-pad", user: "user-1"}}"#,
      "8:14: step 1 (expect): an expectation is about one of device, account, user, family, notification or disagree"
    ),
    (
      #"{expect: {device: "kid-pad", entitlements: ["com.example.app.lifetme"]}}"#,
      "8:49: step 1 (expect): Demo.storekit has no product 'com.example.app.lifetme': "
        + "did you mean 'com.example.app.lifetime'?"
    ),
  ]

  @Test(arguments: stepMistakes.indices)
  func aBadStepNamesPlaceStepAndMistake(index: Int) {
    let (step, message) = ScenarioMistakeTests.stepMistakes[index]
    #expect(ScenarioText.mistakes(ScenarioText.story("    " + step)) == ["story.json5:" + message])
  }

  @Test func allMistakesComeAtOnceInTheOrderOfTheFile() {
    let lines = ScenarioText.mistakes(
      """
      {
        catalog: "Demo.storekit",
        acounts: [],
        accounts: [{name: "alice"}, {name: "alice"}, {nam: "bob"}],
        devices: [{name: "pad", count: 2, account: "alice"}, {name: "x y", account: "carl"}],
        steps: [
          {offline: "tablet"},
        ],
      }
      """)
    #expect(
      lines == [
        "story.json5:3:3: unknown key 'acounts': did you mean 'accounts'?",
        "story.json5:4:38: accounts[1]: there is already an account 'alice'",
        "story.json5:4:48: accounts[2]: 'name' is missing",
        "story.json5:4:49: accounts[2]: unknown key 'nam': did you mean 'name'?",
        "story.json5:5:20: devices[0]: the name of 2 devices must say where their number goes: write \"pad-{n}\"",
        "story.json5:5:63: devices[1]: 'x y' cannot be a name: use 1 to 128 of A-Z a-z 0-9 . _ - + @",
        "story.json5:5:79: devices[1]: there is no account 'carl': there is alice",
        "story.json5:7:15: step 1 (offline): there is no device 'tablet': the scenario has none",
      ])
  }

  @Test func brokenJSONNamesTheLine() {
    #expect(
      ScenarioText.mistakes("{\n  catalog: \"Demo.storekit\"\n  steps: []\n}") == [
        "story.json5:3:3: this is not JSON5: found 's', expected ',' or '}'"
      ])
  }

  @Test func aRealClockCannotBeAdvanced() {
    #expect(
      ScenarioText.mistakes(ScenarioText.story(#"    {advance: "1d"}"#, clock: #""real""#)) == [
        #"story.json5:8:15: step 1 (advance): a real clock cannot be advanced: "#
          + #"write world: {clock: {manual: "2026-01-01T00:00:00Z"}}"#
      ])
  }

  @Test func aCatalogueThatIsNotThereIsOneMistakeOnly() {
    let lines = ScenarioText.mistakes(
      ScenarioText.story(#"    {buy: "anything", on: "kid-pad"}"#).replacing("Demo.storekit", with: "Dema.storekit"))
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("story.json5:2:12: 'Dema.storekit' is no catalogue: there is no file /") == true)
  }

  @Test func anOutcomeCannotBeExpectedWhereFinishIsHeld() {
    let steps = """
          {hold: "finish", on: "kid-pad"},
          {buy: "com.example.app.lifetime", on: "kid-pad", expect: "completed"},
      """
    #expect(
      ScenarioText.mistakes(ScenarioText.story(steps)) == [
        "story.json5:9:62: step 2 (buy): the outcome 'completed' cannot be expected of a purchase that is not waited "
          + "for: release 'finish' on 'kid-pad' and leave out 'wait' first, or drop 'expect'"
      ])
  }
}
