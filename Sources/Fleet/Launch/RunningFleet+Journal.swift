package import Wire

extension RunningFleet {
  /// The journal of an account after this event, page by page.
  package func journal(of account: String, after sequence: UInt64 = 0) async throws -> [ReadJournal.Entry] {
    var entries: [ReadJournal.Entry] = []
    while true {
      let request = ReadJournal(after: entries.last?.sequence ?? sequence)
      let page = try await ask(request, of: .account, account).events
      entries += page
      if page.count < request.limit { return entries }
    }
  }
}
