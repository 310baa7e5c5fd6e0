import Fleet
import Wire

/// Makes a family of several accounts: all of them or, with one sentence, none.
struct FamilyFounding {
  let name: String
  /// The organiser first.
  let members: [String]

  /// What needs no fleet to be seen to be wrong.
  init(_ words: [String]) throws {
    name = words[0]
    members = Array(words.dropFirst())
    try NameError.check(name, "a family")
    for member in members { try NameError.check(member, "an account") }
    if let twice = members.indices.first(where: { members[..<$0].contains(members[$0]) }) {
      throw UsageError(
        "'\(members[twice])' is named twice: name each account once"
          + (members[twice] == members[0] ? ", the organiser is a member already" : ""))
    }
    guard members.count <= FamilyFounding.mostMembers else {
      throw UsageError(
        "\(members.count) accounts are named: a family has \(FamilyFounding.mostMembers) members at most, the organiser "
          + "among them")
    }
  }

  private static let mostMembers = 6

  func found(in fleet: RunningFleet) async throws {
    let before = try await existing(in: fleet)
    try await check(fleet, before ?? [])
    _ = try await fleet.ask(CreateFamily(organizer: members[0]), of: .family, name)
    var joined: [String] = []
    do {
      for member in members.dropFirst() where before?.contains(member) != true {
        _ = try await fleet.ask(JoinFamily(account: member), of: .family, name)
        joined.append(member)
      }
    } catch {
      // Somebody was faster than this command. With its organiser a family ends.
      let leavers = before == nil ? [members[0]] : joined
      for leaver in leavers { _ = try? await fleet.ask(LeaveFamily(account: leaver), of: .family, name) }
      throw error
    }
  }

  /// The members of the family, where there is one with this organiser already: the same again changes nothing.
  private func existing(in fleet: RunningFleet) async throws -> [String]? {
    do {
      let family = try await fleet.ask(DescribeFamily(), of: .family, name)
      guard family.organizer == members[0] else {
        throw CommandFailure(
          "family '\(name)' exists already, with organiser '\(family.organizer)': choose another name")
      }
      return family.members
    } catch let error as WireError where error.code == .unknownAddress {
      // The family or the world: the world is asked next.
      return nil
    }
  }

  private func check(_ fleet: RunningFleet, _ before: [String]) async throws {
    let accounts = Set(try await fleet.askWorld(ListAccounts()).accounts.map(\.account))
    let unknown = members.filter { !accounts.contains($0) }
    guard unknown.isEmpty else {
      let names = unknown.map { "'\($0)'" }.joined(separator: " and ")
      throw CommandFailure(
        "there is no account \(names) in world '\(fleet.world)', so family '\(name)' is not made: "
          + "'storefleet account open' opens accounts")
    }
    guard Set(before).union(members).count <= FamilyFounding.mostMembers else {
      throw CommandFailure(
        "family '\(name)' has \(counted(before.count, "member")) already, so these do not find room: a family has "
          + "\(FamilyFounding.mostMembers) at most")
    }
    for member in members where !before.contains(member) {
      if let other = AccountHistory(try await fleet.journal(of: member)).family {
        throw CommandFailure(
          "'\(member)' is in family '\(other)' already, so family '\(name)' is not made: let it leave first")
      }
    }
  }
}
