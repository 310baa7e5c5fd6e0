import Foundation

// What a clock jump costs, each part beside a limit that is measured in the same run.
//
//     swift run -c release jump-bench [ledger] [journal] [many] [memory] [pages]

let parts: [(name: String, run: () throws -> Void)] = [
  ("ledger", LedgerBench.run),
  ("journal", { try JournalBench.run(forUsers: false, heard: false) }),
  ("journal", { try JournalBench.run(forUsers: true, heard: false) }),
  ("journal", { try JournalBench.run(forUsers: false, heard: true) }),
  ("journal", { try JournalBench.run(forUsers: true, heard: true) }),
  ("many", ManyBench.run),
  ("memory", MemoryBench.run),
  ("pages", PageBench.run),
]
let wanted = Set(CommandLine.arguments.dropFirst())
if let unknown = wanted.subtracting(parts.map(\.name)).min() {
  print("jump-bench: there is no part '\(unknown)': ledger, journal, many, memory, pages")
  exit(2)
}

for part in parts where wanted.isEmpty || wanted.contains(part.name) { try part.run() }
