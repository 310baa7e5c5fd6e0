import Foundation
import Shared
import Wire

extension ScenarioReader {
  func readAccounts(_ names: inout ScenarioNames) -> [ScenarioAccount] {
    sections("accounts").compactMap { section in
      section.allow(["name", "asksToBuy", "state"])
      guard let name = newName(section, .account, &names) else { return nil }
      return ScenarioAccount(
        name: name, asksToBuy: section.bool("asksToBuy") ?? false, states: readStates(section))
    }
  }

  func readFamilies(_ names: inout ScenarioNames) -> [ScenarioFamily] {
    var taken: [String: String] = [:]
    return sections("families").compactMap { section in
      section.allow(["name", "organizer", "members"])
      let name = newName(section, .family, &names)
      let organizer = section.required("organizer") { known(section, $0, .account, names) }
      var members = knownList(section, "members", .account, names) ?? []
      if let organizer, !members.contains(organizer) { members.insert(organizer, at: 0) }
      guard let name, let organizer else { return nil }
      if members.count > ScenarioReader.mostMembers {
        section.note("a family has at most \(ScenarioReader.mostMembers) members, not \(members.count)", at: "members")
      }
      for member in members {
        if let other = taken[member] {
          section.note("'\(member)' is already in the family '\(other)': an account is in one at most", at: "members")
        }
        taken[member] = name
      }
      return ScenarioFamily(name: name, organizer: organizer, members: members)
    }
  }

  /// Apple: a family group has up to six members.
  static let mostMembers = 6

  func readUsers(_ names: inout ScenarioNames) -> [ScenarioUser] {
    sections("users").compactMap { section in
      section.allow(["name", "token"])
      guard let name = newName(section, .user, &names) else { return nil }
      guard let text = section.string("token") else { return ScenarioUser(name: name) }
      guard let token = UUID(uuidString: text) else {
        section.note("the token \(ScenarioSection.quoted(text)) is not a UUID: leave it out to get one", at: "token")
        return nil
      }
      return ScenarioUser(name: name, token: token)
    }
  }

  /// - Parameter app: packs the devices into processes in their order; nil spreads them over `clients`.
  func readDevices(_ names: inout ScenarioNames, clients: Int, app: ScenarioApp? = nil) -> [ScenarioDevice] {
    var devices: [ScenarioDevice] = []
    for section in sections("devices") {
      section.allow(["name", "count", "account", "user", "client", "start"])
      let account = section.required("account") { known(section, $0, .account, names) }
      let user = section.has("user") ? known(section, "user", .user, names) : nil
      if app != nil, section.has("client") {
        section.note("with an app the devices are packed in their order", at: "client")
      }
      let client = app == nil ? section.integer("client", in: 1...clients) : nil
      let start = section.word("start", among: ["launched", "off"]) ?? "launched"
      for name in deviceNames(section, &names) {
        devices.append(
          ScenarioDevice(
            // A name counts even where its account is wrong, so that steps that use it are not wrong as well.
            name: name, account: account ?? "", user: user,
            client: client ?? app.map { devices.count / $0.devicesPerProcess + 1 } ?? devices.count % clients + 1,
            startsLaunched: start == "launched"))
      }
    }
    return devices
  }

  /// One name, or `count` names in which `{n}` stands for 1, 2, 3…
  private func deviceNames(_ section: ScenarioSection, _ names: inout ScenarioNames) -> [String] {
    guard section.has("count") else { return newName(section, .device, &names).map { [$0] } ?? [] }
    guard let count = section.integer("count", in: 1...100_000), let pattern = section.required("name", section.string)
    else { return [] }
    guard pattern.contains("{n}") else {
      let message = "the name of \(count) devices must say where their number goes: write \"\(pattern)-{n}\""
      section.note(message, at: "name")
      return []
    }
    return (1...count).compactMap { number in
      let name = pattern.replacing("{n}", with: String(number))
      return isNew(name, section, .device, &names) ? name : nil
    }
  }

  // MARK: Names

  private func newName(
    _ section: ScenarioSection, _ kind: ScenarioNames.Kind, _ names: inout ScenarioNames
  ) -> String? {
    guard let name = section.required("name", section.string), isNew(name, section, kind, &names) else { return nil }
    return name
  }

  private func isNew(
    _ name: String, _ section: ScenarioSection, _ kind: ScenarioNames.Kind, _ names: inout ScenarioNames
  ) -> Bool {
    guard ActorAddress.isName(name) else {
      section.note(ScenarioReader.nameRule(name), at: "name")
      return false
    }
    guard names.add(name, kind) else {
      section.note("there is already \(kind == .account ? "an" : "a") \(kind.rawValue) '\(name)'", at: "name")
      return false
    }
    return true
  }

  private func known(
    _ section: ScenarioSection, _ key: String, _ kind: ScenarioNames.Kind, _ names: ScenarioNames
  ) -> String? {
    guard let name = section.string(key) else { return nil }
    return names.check(name, kind, at: section.members[key]?.position, in: section.place) ? name : nil
  }

  private func knownList(
    _ section: ScenarioSection, _ key: String, _ kind: ScenarioNames.Kind, _ names: ScenarioNames
  ) -> [String]? {
    section.strings(key)?.filter { names.check($0.text, kind, at: $0.position, in: section.place) }.map(\.text)
  }
}
