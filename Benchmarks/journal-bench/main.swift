import Foundation
import SQLite
import ServerNode
import Wire

// Appends a second through `JournalWriter`, against a plain loop of SQLite that inserts the same rows in transactions
// of the same size. Both in the same run and the same folder, taking turns, so that they meet the same disk.
//
//     swift run -c release journal-bench [folder] [rounds]

func rate(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return Double(Workload.appendsPerRound) / ((ContinuousClock.now - start) / .seconds(1))
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let arguments = CommandLine.arguments
let parent = arguments.count > 1 ? arguments[1] : FileManager.default.temporaryDirectory.path
let rounds = max(1, arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5)
let folder = parent + "/journal-bench-\(UUID().uuidString)"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }

let plain = try PlainSQLite(path: folder + "/plain.sqlite")
let writer = JournalWriter { () throws(JournalError) in try SQLiteJournal(folder: folder + "/journal") }
writer.start { _ in }
let load = Load(writer, actors: Workload.actors, inFlight: Workload.inFlight)

var plainRates: [Double] = []
var journalRates: [Double] = []
for round in 1...rounds {
  plainRates.append(try rate { try plain.run(Workload.appendsPerRound) })
  journalRates.append(rate { load.run(Workload.appendsPerRound) })
  print("round \(round): plain \(Int(plainRates[round - 1]))/s, journal \(Int(journalRates[round - 1]))/s")
}
let counters = writer.counters
writer.stop()
print(
  """
  median: plain \(Int(median(plainRates)))/s, journal \(Int(median(journalRates)))/s, \
  ratio \(String(format: "%.2f", median(journalRates) / median(plainRates)))
  \(counters.appends) appends in \(counters.commits) commits, \(load.failures) failures
  """)
