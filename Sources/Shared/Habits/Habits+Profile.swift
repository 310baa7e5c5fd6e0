extension Habits {
  /// A value for every habit.
  package enum Profile: String, Codable, Hashable, Sendable, CaseIterable {
    /// What Apple's documentation says, and our choice where it says nothing.
    case documented
    /// What developers report from devices and from the sandbox.
    case field
    /// What StoreKit testing in Xcode and its simulators were seen to do.
    case xcode
  }

  package init(_ profile: Profile) {
    self.init()
    for habit in Habit.all { habit.write(habit.value(in: profile), to: &self) }
  }
}
