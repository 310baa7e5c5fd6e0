import ClientNode
import Foundation
import Shared
import Synchronization
package import Wire

/// What the apps of this process bought and what their listeners got, in the order in which it happened.
package final class LoadRecorder: Sendable {
  /// Where an app that is launched records; the load host sets it around the launch.
  @TaskLocal static var current: LoadRecorder?

  private let record = Mutex(LoadRecord(devices: []))

  package init() {}

  /// Gives a device the index that stands for it. A device that is launched again keeps its own.
  func index(of device: String) -> UInt32 {
    record.withLock { record in
      if let known = record.devices.firstIndex(of: device) { return UInt32(known) }
      record.devices.append(device)
      return UInt32(record.devices.count - 1)
    }
  }

  func plan(_ purchases: Int) { record.withLock { $0.counts.planned += purchases } }

  func begins(intendedAt: Int64, now: Int64) {
    record.withLock { record in
      record.startDelay.record(now &- intendedAt)
      if now &- intendedAt > LoadRecord.lateStartMicroseconds { record.lateStarts += 1 }
    }
  }

  func bought(_ transaction: UInt64, on device: UInt32, intendedAt: Int64, now: Int64) {
    record.withLock { record in
      record.counts.acknowledged += 1
      record.roundTrip.record(now &- intendedAt)
      record.lastReturnAt = max(record.lastReturnAt, now)
      record.purchases.append(LoadPurchase(device: device, transaction: transaction, intendedAt: intendedAt))
    }
  }

  func failed(_ message: String, now: Int64) {
    record.withLock { record in
      record.counts.failed += 1
      record.lastReturnAt = max(record.lastReturnAt, now)
      record.failures[message, default: 0] += 1
    }
  }

  func delivered(_ transaction: UInt64, to device: UInt32, now: Int64) {
    record.withLock { record in
      record.counts.delivered += 1
      record.deliveries.append(LoadDelivery(device: device, transaction: transaction, at: now))
    }
  }

  package var counts: LoadCounts { record.withLock { $0.counts } }
  package var recorded: LoadRecord { record.withLock { $0 } }
}
