import Shared
import Wire

extension ClientNodeCore {
  mutating func noteReport(_ name: String) {
    guard let device = devices[name] else { return }
    let unfinished = device.store.history.records.count { !$0.isFinished }
    let mark = ReportDesk.Mark(
      incarnation: device.app?.id.incarnation, online: device.isOnline, applied: device.applied,
      unfinished: unfinished, seen: device.app?.seenCount ?? 0, screen: device.app?.screen,
      faults: device.faults)
    if reports.note(name, mark) { armReports() }
  }

  /// A server that is new to this node knows nothing of its devices.
  mutating func reportAll() {
    reports.noteAll(devices.keys)
    armReports()
  }

  private mutating func armReports() {
    guard !reports.isInFlight, link.incarnation != 0, !timers.contains(.reports) else { return }
    let wait = configuration.isAlone ? 0 : ReportDesk.gatherMilliseconds
    timers.set(.reports, at: now.advanced(byMilliseconds: wait))
  }

  mutating func sendReports() {
    guard !reports.isInFlight, !reports.changed.isEmpty else { return }
    let batch = reports.take().compactMap { devices[$0]?.report(mostUpdates: ReportDesk.updatesListed) }
    reports.isInFlight = true
    ask(
      ReportDevices(world: configuration.world, reports: batch), of: address(.node, "server"), for: .reports,
      on: .control)
  }

  mutating func reportsSent(_ result: Result<Done, WireError>) {
    reports.isInFlight = false
    if case .failure(let error) = result {
      effects.append(.log("the server did not take the reports of this node's devices: \(error.message)"))
    }
    if !reports.changed.isEmpty { armReports() }
  }
}
