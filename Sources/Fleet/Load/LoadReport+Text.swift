extension LoadReport {
  /// The report as lines for a person.
  package var lines: [String] {
    var lines = [
      "\(devices) devices of \(accounts) accounts in \(clients) client \(clients == 1 ? "process" : "processes"), product \(product), seed \(seed)",
      "purchases     \(purchases) of \(LoadText.number(rateAsked)) /s for \(LoadText.number(durationSeconds)) s:"
        + " achieved \(LoadText.number(rateAchieved)) /s, \(errors) failed, \(lateStarts) begun late",
      "deliveries    \(delivered) of \(owed): \(lost) lost, \(duplicates) duplicate, \(late) out of order"
        + (unacknowledged > 0 ? ", \(unacknowledged) of purchases whose reply was lost" : ""),
      "",
      LoadText.row("", LatencySummary.Point.allCases.map(\.rawValue)),
      row("start delay", startDelay), row("round trip", roundtrip), row("propagation", propagation), "",
      "processor     server \(cpu(cost.serverCPUSeconds, cost.serverCPUMicrosecondsPerDelivery)),"
        + " clients \(cpu(cost.clientCPUSeconds, cost.clientCPUMicrosecondsPerDelivery))",
      "memory        \(LoadText.mebibytes(memory.clientsBeforeLaunch)) MiB of clients before launch,"
        + " \(LoadText.mebibytes(memory.clientsAfterLaunch)) after (\(memory.perDevice / 1_024) KiB a device),"
        + " \(LoadText.mebibytes(memory.clientsAfterRun)) at the end; server \(LoadText.mebibytes(memory.serverAfterRun))",
    ]
    for (message, count) in failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      lines.append("failed \(count) times: \(message)")
    }
    lines += failed.map { "failed if \($0)" }
    return lines
  }

  private func row(_ name: String, _ summary: LatencySummary) -> String {
    LoadText.row(name, LatencySummary.Point.allCases.map { LoadText.milliseconds(summary[$0]) })
  }

  private func cpu(_ seconds: Double, _ microsecondsPerDelivery: Double?) -> String {
    let each = microsecondsPerDelivery.map { " (\(LoadText.number($0)) µs a delivery)" } ?? ""
    return "\(LoadText.number(seconds)) s\(each)"
  }
}

/// How numbers are written in a load report.
enum LoadText {
  /// At most one decimal.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "–" }
    let tenths = Int64((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\((tenths % 10).magnitude)"
  }

  /// Microseconds as milliseconds with three decimals.
  static func milliseconds(_ microseconds: Int64?) -> String {
    guard let microseconds else { return "–" }
    let thousandths = String(microseconds % 1_000 + 1_000).dropFirst()
    return "\(microseconds / 1_000).\(thousandths) ms"
  }

  static func mebibytes(_ bytes: UInt64) -> String { number(Double(bytes) / 1_048_576) }

  static func row(_ name: String, _ cells: [String]) -> String {
    let head = name + String(repeating: " ", count: max(0, 12 - name.count))
    return head + cells.map { String(repeating: " ", count: max(1, 14 - $0.count)) + $0 }.joined()
  }
}
