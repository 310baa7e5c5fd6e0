import ControlAPI
import HTTPServer
import ServerNode
import Wire

/// A server node's measurements in the words of Prometheus; docs/control-api.md lists them.
enum ServerMetrics {
  private typealias Label = MetricFamily.Label

  static func families(_ measured: ServerMeasurements) -> [MetricFamily] {
    requests(measured) + events(measured) + notifications(measured.counters) + journal(measured.journal)
      + queues(measured) + gauges(measured.gauges)
      + counters(measured.counters)
  }

  static func families(_ http: HTTPServerCounters) -> [MetricFamily] {
    [
      .counter("storefleet_http_requests_total", "HTTP requests that reached a handler.", Double(http.requests)),
      .counter(
        "storefleet_http_refused_requests_total", "HTTP requests that were malformed, too large or too slow.",
        Double(http.refusedRequests)),
      .counter(
        "storefleet_http_connections_total", "HTTP connections that were accepted.", Double(http.acceptedConnections)),
      .counter(
        "storefleet_http_refused_connections_total", "HTTP connections beyond the limit.",
        Double(http.refusedConnections)),
      .gauge("storefleet_http_open_connections", "HTTP connections that are open.", Double(http.openConnections)),
    ]
  }

  private static func requests(_ measured: ServerMeasurements) -> [MetricFamily] {
    var requests = MetricFamily(
      "storefleet_requests_total", .counter, "Answered requests, by name and outcome: ok, or the code of the error.")
    for (name, outcomes) in measured.requests.sorted(by: { $0.key < $1.key }) {
      for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
        requests.add(Double(count), [Label("request", name), Label("outcome", outcome)])
      }
    }
    var handling = MetricFamily(
      "storefleet_request_duration_seconds", .histogram,
      "From the arrival of a request until its reply was handed over, by name.")
    for (name, histogram) in measured.handling.sorted(by: { $0.key < $1.key }) {
      handling.add(
        bounds: LatencyHistogram.bounds, counts: histogram.counts, sum: histogram.sum, [Label("request", name)])
    }
    return [requests, handling]
  }

  private static func events(_ measured: ServerMeasurements) -> [MetricFamily] {
    let account = measured.journal.events["account"] ?? [:]
    return [
      family(
        "storefleet_events_committed_total", "Events that are on disk, by kind of actor and name.",
        measured.journal.events),
      family(
        "storefleet_events_published_total", "Events that somebody listened to, by kind of actor and name.",
        measured.events),
      .counter(
        "storefleet_events_unheard_total", "Events that nobody listened to.",
        Double(measured.counters.unheardPublications)),
      .counter(
        "storefleet_purchases_total", "Purchases that are on disk, renewals not among them.",
        Double(account["purchased"] ?? 0)),
      .counter("storefleet_renewals_total", "Renewals that are on disk.", Double(account["renewed"] ?? 0)),
      .counter("storefleet_refunds_total", "Refunds that are on disk.", Double(account["refunded"] ?? 0)),
      .counter(
        "storefleet_device_reports_total", "What devices said that they have applied: deliveries.",
        Double(measured.counters.deviceReports)),
    ]
  }

  private static func notifications(_ counters: ServerCounters) -> [MetricFamily] {
    var attempts = MetricFamily(
      "storefleet_notification_attempts_total", .counter,
      "Tries to deliver a notification, by Apple's word for what became of them.")
    for (result, count) in counters.notificationAttempts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      attempts.add(Double(count), [Label("result", result.rawValue)])
    }
    return [attempts]
  }

  private static func family(_ name: String, _ help: String, _ counts: [String: [String: UInt64]]) -> MetricFamily {
    var family = MetricFamily(name, .counter, help)
    for (kind, names) in counts.sorted(by: { $0.key < $1.key }) {
      for (name, count) in names.sorted(by: { $0.key < $1.key }) {
        family.add(Double(count), [Label("kind", kind), Label("event", name)])
      }
    }
    return family
  }

  private static func journal(_ journal: JournalWriterCounters) -> [MetricFamily] {
    var times = MetricFamily(
      "storefleet_journal_commit_duration_seconds", .histogram,
      "How long transactions of the journal took, the sync of the disk included.")
    times.add(bounds: LatencyHistogram.bounds, counts: journal.commitTimes.counts, sum: journal.commitTimes.sum)
    return [
      .counter(
        "storefleet_journal_commits_total",
        "Transactions of the journal: groups of appends that one sync made durable.", Double(journal.commits)),
      .counter("storefleet_journal_failed_commits_total", "Transactions that failed.", Double(journal.failedCommits)),
      .counter("storefleet_journal_appends_total", "Appends that reached the disk.", Double(journal.appends)),
      .counter(
        "storefleet_journal_refused_appends_total", "Appends that were refused: conflicts and repetitions.",
        Double(journal.refusedAppends)),
      .counter(
        "storefleet_journal_written_bytes_total", "Bytes of events, replies and effects that reached the disk.",
        Double(journal.bytes)),
      times,
    ]
  }

  private static func queues(_ measured: ServerMeasurements) -> [MetricFamily] {
    var depth = MetricFamily("storefleet_queue_depth", .gauge, "What waits at this moment, by queue.")
    depth.add(Double(measured.gauges.mailboxMessages), [Label("queue", "mailboxes")])
    depth.add(Double(measured.journal.queueDepth), [Label("queue", "journal")])
    depth.add(Double(measured.gauges.commits), [Label("queue", "commits")])
    depth.add(Double(measured.gauges.signings), [Label("queue", "signings")])
    depth.add(Double(measured.gauges.forwards), [Label("queue", "devices")])
    depth.add(Double(measured.requestsInHand), [Label("queue", "requests")])
    return [depth]
  }

  private static func gauges(_ gauges: ServerGauges) -> [MetricFamily] {
    [
      .gauge("storefleet_worlds", "Worlds in memory.", Double(gauges.worlds)),
      .gauge("storefleet_actors", "Actors in memory.", Double(gauges.actors)),
      .gauge("storefleet_peers", "Connections that have introduced themselves.", Double(gauges.peers)),
      .gauge("storefleet_devices", "Devices behind the connections of client nodes.", Double(gauges.devices)),
      .gauge(
        "storefleet_listening_devices", "Devices whose app runs and is online.", Double(gauges.listeningDevices)),
      .gauge("storefleet_timers", "Timers that are waited for.", Double(gauges.timers)),
    ]
  }

  private static func counters(_ counters: ServerCounters) -> [MetricFamily] {
    [
      .counter("storefleet_messages_total", "Messages that came, replies of devices too.", Double(counters.messages)),
      .counter("storefleet_turns_committed_total", "Turns of actors that are on disk.", Double(counters.commits)),
      .counter("storefleet_conflicts_total", "Turns that the journal refused.", Double(counters.conflicts)),
      .counter("storefleet_refusals_total", "Requests that got an error.", Double(counters.refusals)),
      .counter("storefleet_dead_letters_total", "Messages to nobody.", Double(counters.deadLetters)),
      .counter("storefleet_timers_fired_total", "Timers that were played.", Double(counters.timers)),
    ]
  }
}
