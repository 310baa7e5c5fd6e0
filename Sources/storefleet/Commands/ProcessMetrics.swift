import ControlAPI
import Foundation
import Glibc

/// What every program tells Prometheus of its process, under the names that all use.
enum ProcessMetrics {
  private static let start = Date()

  static func families() -> [MetricFamily] {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let processor = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    var families: [MetricFamily] = [
      .counter("process_cpu_seconds_total", "Time on processors, user and system.", processor),
      .gauge("process_start_time_seconds", "When the process started, since 1970.", start.timeIntervalSince1970),
      MetricFamily(
        "storefleet_build_info", .gauge, "The version, as a label; the value is 1.",
        [.init(1, [.init("version", Version.current)])]),
    ]
    if let pages = residentPages() {
      families.append(
        .gauge("process_resident_memory_bytes", "Memory in use.", Double(pages) * Double(sysconf(Int32(_SC_PAGESIZE)))))
    }
    if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      families.append(.gauge("process_open_fds", "Open files and sockets.", Double(files.count)))
    }
    return families
  }

  /// To be called early: what counts as the start.
  static func noteStart() { _ = start }

  private static func residentPages() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]) : nil
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
