package import Shared

/// To `W/world/W`: from now on the world has these habits. Answered when every client node has been told.
package struct SetHabits: Request {
  package static let name = "setHabits"
  package typealias Reply = Done
  package var habits: HabitChange

  package init(_ habits: HabitChange) { self.habits = habits }
}

/// A world's habits have changed. Published on the world's topic, and sent as a request to `W/node/NAME` of each client
/// node with devices, over the control link: what a person asks of a device after `setHabits` meets the new habits.
package struct HabitsChanged: Request, Hashable {
  package static let name = "habitsChanged"
  package typealias Reply = Done
  package var habits: Habits
  /// The world's epoch and the count of its events: of two changes, the later one counts.
  package var epoch: UInt64
  package var sequence: UInt64

  package init(habits: Habits, epoch: UInt64, sequence: UInt64) {
    self.habits = habits
    self.epoch = epoch
    self.sequence = sequence
  }
}
