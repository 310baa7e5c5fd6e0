import Wire

extension ServerNodeCore {
  /// Looks at every actor in memory: for whoever asks a few times a minute.
  var gauges: ServerGauges {
    var gauges = ServerGauges()
    gauges.worlds = worlds.count { $0.value.state?.settings != nil }
    gauges.actors = cells.count
    gauges.peers = peers.count
    gauges.devices = directory.count
    gauges.listeningDevices = directory.count { $0.value.isListening }
    gauges.timers = worlds.values.reduce(0) { $0 + $1.timers.count }
    gauges.mailboxMessages =
      cells.values.reduce(0) { $0 + $1.mailbox.count }
      + worlds.values.reduce(0) { $0 + $1.early.count + $1.held.count }
    gauges.forwards = forwards.count
    gauges.commits = commits.count + batches.count
    gauges.signings = signings.count
    return gauges
  }
}
