import Foundation
import Shared
import Wire

/// A node whose one app has the process to itself: killing the app ends the process, and whoever started it starts it
/// again, with its app off. Who asked for the kill is answered by the new process; so is who asked for a launch that the
/// process did not survive.
extension ClientNodeCore {
  /// Takes over what the process before left unanswered.
  mutating func inherit(_ unanswered: UnansweredRequests) {
    guard configuration.endsWithApp, let name = configuration.devices.first?.name else { return }
    // A kill that somebody asked for needs no explanation.
    lastEnd = unanswered.kills.isEmpty ? unanswered.lastEnd : nil
    inherited = unanswered
    for id in unanswered.kills + unanswered.launches { _ = control.admit(RequestID(id)) }
    control.killing[name] = unanswered.kills.map { RequestID($0) }
  }

  /// The server node knows this process now, so answers find their way.
  mutating func answerInherited() {
    guard let unanswered = inherited, let name = configuration.devices.first?.name else { return }
    inherited = nil
    for request in control.killing.removeValue(forKey: name) ?? [] { replyReport(request, name) }
    for request in unanswered.launches { reply(RequestID(request), notRunning(name, "did not launch")) }
    effects.append(.remember(UnansweredRequests()))
  }

  /// Says that an app does not run, and how it ended when it did so by itself.
  func notRunning(_ name: String, _ what: String = "does not run") -> WireError {
    guard let lastEnd else {
      return WireError.refused(.wrongState, "the app on \(name) \(what): launch it first")
    }
    return WireError.refused(.wrongState, "the app on \(name) \(what), it \(lastEnd)")
  }

  // MARK: Time

  /// Tells the app's clock what the world's says. One that runs with the machine's needs no telling but of the skew.
  mutating func showTime(_ time: StoreTime?) {
    guard configuration.appClock != nil else { return }
    if let time { shownTime = time }
    effects.append(.showTime(shownTime, skewMilliseconds: skewMilliseconds))
  }

  /// One app a process is what has a clock of its own.
  private var skewMilliseconds: Int64 {
    guard devices.count == 1 else { return 0 }
    return devices.values.first?.store.state.skewMilliseconds ?? 0
  }

  mutating func setSkew(_ name: String, _ milliseconds: Int64) throws(WireError) {
    if let refusal = configuration.skewRefusal {
      throw WireError.refused(.wrongState, "\(name) cannot have a clock of its own: \(refusal)")
    }
    touch(name)
    devices[name]?.store.change { $0.skewMilliseconds = milliseconds == 0 ? nil : milliseconds }
    showTime(nil)
  }
}
