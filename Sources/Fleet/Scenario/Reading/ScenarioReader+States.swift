import Foundation
import Shared
import Wire

extension ScenarioReader {
  /// The states of an account, products and families not yet looked up.
  func readStates(_ section: ScenarioSection) -> [ScenarioState] {
    (section.list("state") ?? []).compactMap { node in
      let place = "\(section.place) state"
      let expected = #"a state such as {owns: "…"}"#
      guard let state = ScenarioSection(node, place: place, findings: findings, expected: expected) else { return nil }
      let kinds = ScenarioState.Kind.allCases
      let found = kinds.filter { state.has($0.rawValue) }
      guard let kind = found.first, found.count == 1 else {
        state.allow(kinds.map(\.rawValue) + kinds.compactMap(\.timeKey))
        state.note("a state is one of \(kinds.map(\.rawValue).joined(separator: ", "))")
        return nil
      }
      state.allow([kind.rawValue] + [kind.timeKey].compactMap(\.self))
      guard let subject = state.string(kind.rawValue) else { return nil }
      var time = Duration.zero
      if let key = kind.timeKey, kind.needsTime || state.has(key) {
        guard let text = state.required(key, state.string) else { return nil }
        do { time = try DurationText.parse(text) } catch {
          state.note("\(error)", at: key)
          return nil
        }
      }
      return ScenarioState(
        kind: kind, subject: subject, time: time, position: state.members[kind.rawValue]?.position ?? node.position,
        place: place)
    }
  }

  /// The commands that make the states so, in the order of their times.
  func prelude(
    _ accounts: [ScenarioAccount], in world: ScenarioWorld, catalog: ScenarioCatalog?, _ names: ScenarioNames
  ) -> [ScenarioPrelude] {
    // The catalogue was read before; what is wrong with it has been told.
    let products = catalog.flatMap { try? Catalog(data: Data($0.text.utf8), file: $0.name) }
    var prelude: [ScenarioPrelude] = []
    for account in accounts {
      var together = StartStates(account: account.name)
      for state in account.states where state.kind != .memberOf {
        guard names.check(state.subject, .product, at: state.position, in: state.place),
          let product = products?.product(state.subject)
        else { continue }
        guard case .manual(let begin) = world.clock else {
          findings.note(
            "a state needs a manual clock: write world: {clock: {manual: \"2026-01-01T00:00:00Z\"}}",
            at: state.position, in: state.place)
          continue
        }
        let plan = StartPlan(account: account.name, product: product, world: world, begin: begin)
        do throws(ImpossibleState) {
          let commands = try plan.commands(state.kind, state.time)
          try together.add(state.kind, state.time, product, commands, until: begin)
          prelude += commands
        } catch {
          findings.note(error.message, at: state.position, in: state.place)
        }
      }
    }
    return prelude.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// The families with the members that say so themselves.
  func families(
    _ families: [ScenarioFamily], joinedBy accounts: [ScenarioAccount], _ names: ScenarioNames
  ) -> [ScenarioFamily] {
    var families = families
    for account in accounts {
      for state in account.states where state.kind == .memberOf {
        guard names.check(state.subject, .family, at: state.position, in: state.place),
          let index = families.firstIndex(where: { $0.name == state.subject })
        else { continue }
        if families[index].members.contains(account.name) { continue }
        if let other = families.first(where: { $0.members.contains(account.name) }) {
          findings.note(
            "'\(account.name)' is already in the family '\(other.name)': an account is in one at most",
            at: state.position, in: state.place)
          continue
        }
        guard families[index].members.count < ScenarioReader.mostMembers else {
          findings.note(
            "the family '\(state.subject)' has \(ScenarioReader.mostMembers) members already", at: state.position,
            in: state.place)
          continue
        }
        families[index].members.append(account.name)
      }
    }
    return families
  }
}
