import Fleet
import Wire

/// What is said of a world that settles.
enum SettleText {
  private static let shown = 3

  /// Whom is waited for; nil where it is not devices.
  static func waiting(_ devices: [DeviceEntry]) -> String? {
    let behind = devices.compactMap { entry -> String? in
      guard let report = entry.report, report.online, report.incarnation != nil,
        report.epoch != entry.position.epoch || report.sequence < entry.position.sequence
      else { return nil }
      return "\(entry.device) (\(report.sequence) of \(counted(Int(entry.position.sequence), "event")))"
    }
    guard !behind.isEmpty else { return nil }
    let more = behind.count - shown
    return "Waiting for \(behind.prefix(shown).joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")."
  }

  static func done(_ reply: Settle.Reply, hasDevices: Bool) -> String {
    if let unheard = reply.unheard {
      let more = unheard.count - shown
      return
        "The store is quiet, and it is \(reply.now), but nobody waited for \(unheard.prefix(shown).joined(separator: ", "))"
        + "\(more > 0 ? " and \(more) more" : ""): the client node has not been heard of for a while."
    }
    guard hasDevices else {
      return "The store is quiet. It is \(reply.now). No client node is connected, so there was no device to wait for."
    }
    return "All is quiet. It is \(reply.now)."
  }
}
