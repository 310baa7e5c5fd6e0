import Foundation
import Glibc

/// What a process has used so far, as /proc tells it.
package struct ProcessUsage: Hashable, Sendable {
  package var cpuSeconds: Double
  package var residentBytes: UInt64

  package init(cpuSeconds: Double = 0, residentBytes: UInt64 = 0) {
    self.cpuSeconds = cpuSeconds
    self.residentBytes = residentBytes
  }

  /// Nil when there is no such process any more.
  package init?(runningProcess id: Int32) {
    guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      let statm = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8)
    else { return nil }
    self.init(stat: stat, statm: statm, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)), pageSize: getpagesize())
  }

  /// Reads the files of proc(5). The name in `stat` stands in parentheses and may hold anything.
  init?(stat: String, statm: String, ticksPerSecond: Int, pageSize: Int32) {
    guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
    // After the name comes field 3; utime and stime are 14 and 15.
    guard fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]) else { return nil }
    let pages = statm.split(separator: " ")
    guard pages.count > 1, let resident = UInt64(pages[1]) else { return nil }
    cpuSeconds = (Double(user) + Double(system)) / Double(max(1, ticksPerSecond))
    residentBytes = resident.multipliedReportingOverflow(by: UInt64(max(1, pageSize))).partialValue
  }

  package static func + (left: ProcessUsage, right: ProcessUsage) -> ProcessUsage {
    ProcessUsage(
      cpuSeconds: left.cpuSeconds + right.cpuSeconds, residentBytes: left.residentBytes &+ right.residentBytes)
  }

  /// The sum of all that still run.
  package static func sum(_ processes: some Sequence<Int32>) -> ProcessUsage {
    processes.compactMap { ProcessUsage(runningProcess: $0) }.reduce(ProcessUsage(), +)
  }
}
