import Foundation
import Shared
import Wire

extension ClientNodeCore {
  /// The world's, as this node knows them.
  var habits: Habits { world?.habits ?? Habits() }

  /// Every device has the world's habits from now on.
  mutating func spreadHabits() {
    let habits = habits
    for name in devices.keys where devices[name]?.habits != habits {
      devices[name]?.habits = habits
      touch(name)
    }
  }

  /// They come over the control link, and are published: whichever is here first counts, and no older one after it.
  mutating func take(_ change: HabitsChanged) {
    let position = StreamPosition(epoch: change.epoch, sequence: change.sequence)
    guard position > habitsPosition else { return }
    habitsPosition = position
    // The answer to a question that is on its way may be from before.
    if isDescribingWorld { habitsAreNewer = true }
    guard world != nil, change.habits != habits else { return }
    world?.habits = change.habits
    if let world { storeWorld(world) }
    spreadHabits()
  }

  /// What a habit answers without a look at the store; nil for the ordinary course.
  func answerWithoutLooking(_ call: DaemonCall, on name: String, isCancelled: Bool) -> DaemonAnswer? {
    if isCancelled, habits.cancelledQueriesAnswerEmpty {
      return DeviceCore.emptyAnswer(to: call, currency: world?.currency ?? "USD")
    }
    guard habits.coldStartEmpty, case .transactions(.currentEntitlements) = call, let device = devices[name] else {
      return nil
    }
    let isReady = device.isSynced || !device.isOnline || link.contact == .lost
    return isReady && device.coldStartEnds == nil ? nil : .transactions([])
  }
}
