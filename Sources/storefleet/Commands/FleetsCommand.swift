import Fleet

/// `storefleet fleets`: which fleets of this user run on this machine, and what ended ones have left.
enum FleetsCommand {
  private static let clean = Option(flag: "clean", help: "remove the run folders of fleets that have ended")

  private struct Line: Encodable {
    var name: String
    var world: String?
    var launcher: Int32
    var requests: String?
    var folder: String
  }

  private struct Answer: Encodable {
    var running: [Line]
    /// Nil unless it was asked for.
    var removed: Int?
  }

  static let command = Command(
    name: "fleets", summary: "list the running fleets of this machine, or remove what ended ones have left",
    options: [clean, FleetOptions.json],
    examples: [
      .init("storefleet fleets", "names, worlds, endpoints and run folders"),
      .init("storefleet fleets --clean", "logs and data that were kept are removed too"),
    ]
  ) { arguments in
    let removed = arguments.has(clean) ? try RunFolder.removeEnded() : nil
    var running: [Line] = []
    for folder in try RunFolder.list() {
      // One that ends at this moment runs no longer.
      guard let description = try? folder.readDescription() else { continue }
      running.append(
        Line(
          name: folder.name, world: description.world, launcher: description.launcher.processID,
          requests: description.endpoints?.requests, folder: folder.path))
    }
    if arguments.has(FleetOptions.json) {
      try FleetOptions.print(json: Answer(running: running, removed: removed))
      return .ok
    }
    if let removed {
      print(removed == 0 ? "No ended fleet has left a run folder." : "Removed \(counted(removed, "run folder")).")
    }
    if running.isEmpty {
      print("No fleet is running.")
    } else {
      var table = Table(["fleet", "world", "launcher", "requests", "folder"].map { .init($0) })
      for line in running {
        table.addRow([line.name, line.world ?? "–", "\(line.launcher)", line.requests ?? "starting", line.folder])
      }
      table.lines(fitting: Terminal.width).forEach { print($0) }
    }
    return .ok
  }
}
