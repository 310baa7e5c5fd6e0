/// All commands, in the order in which the help lists them.
enum Commands {
  static let all: [Command] =
    [RunCommand.command, UpCommand.command, FleetsCommand.command, WatchCommand.command, LoadCommand.command]
    + PurchaseVerbs.all + OfferVerbs.all
    + RefundVerbs.all
    + SubscriptionVerbs.all + FamilyVerbs.all + ClockVerbs.all + DeviceVerbs.all + GateVerbs.all + ErrorVerbs.all
    + NetVerbs.all + NotificationVerbs.all + [StateCommand.command]
    + QueryCommands.all
    + HabitCommands.all + WorldCommands.all + AccountVerbs.all + [KeysCommand.command] + [
      CatalogCheck.command, ServerCommand.command, ClientCommand.command, PingCommand.command, version, help,
    ]

  static let version = Command(
    name: "version", summary: "print the version", examples: [.init("storefleet version", "prints the version")]
  ) { _ in
    print("storefleet \(Version.current)")
    return .ok
  }

  /// Listed here for the overview; the tool answers it before it looks for commands, since it explains them all.
  static let help = Command(
    name: "help", summary: "explain a command",
    operands: [Operand("COMMAND", .any, help: "the command to explain; all are listed without one")],
    examples: [.init("storefleet help version", "explains the command version")]
  ) { _ in .ok }
}
