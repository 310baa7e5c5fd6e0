import ClientNode

/// Reads all statuses when it is first asked, and gives them out by group.
actor StatusGroups {
  typealias Group = (groupID: String, statuses: [Product.SubscriptionInfo.Status])

  private let daemon: (any StoreDaemon)?
  private var rest: [Group]?

  init(daemon: (any StoreDaemon)?) { self.daemon = daemon }

  /// Nil at the end; at once when the statuses cannot be read, since the sequence cannot throw.
  func next() async -> Group? {
    if rest == nil {
      var statuses: [Product.SubscriptionInfo.Status] = []
      if let daemon { statuses = (try? await Product.SubscriptionInfo.Status.statuses(of: nil, on: daemon)) ?? [] }
      let groups = Dictionary(grouping: statuses, by: \.groupID)
      rest = groups.sorted { $0.key > $1.key }.map { (groupID: $0.key, statuses: $0.value) }
    }
    return rest?.popLast()
  }
}
