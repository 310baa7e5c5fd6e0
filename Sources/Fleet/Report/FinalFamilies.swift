/// Which family each account is in at the end of the story.
enum FinalFamilies {
  /// Only steps that were played, and did not fail, count.
  static func of(_ scenario: Scenario, playedSteps: [StepOutcome]) -> [String: String] {
    var families: [String: String] = [:]
    for family in scenario.families {
      for member in family.members { families[member] = family.name }
    }
    let played = Set(playedSteps.filter { $0.failure == nil }.map(\.number))
    for step in scenario.steps where played.contains(step.number) {
      switch step.action {
      case .join(let account, let family): families[account] = family
      case .leave(let account, _), .account(.reset, let account):
        guard let name = families.removeValue(forKey: account) else { break }
        // An organiser takes everybody along.
        if scenario.families.contains(where: { $0.name == name && $0.organizer == account }) {
          families = families.filter { $0.value != name }
        }
      case .resetWorld: families = [:]
      default: break
      }
    }
    return families
  }
}
