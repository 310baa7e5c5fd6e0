/// What a runner tells while it plays.
package enum ScenarioProgress: Sendable {
  case began(number: Int, text: String)
  case ended(StepOutcome)
}
