import ClientNode
import Shared
import Wire

/// A phone's disk, as a value that a test keeps when it kills the process.
struct FakeDisk: Sendable {
  var node = StoredNode()

  mutating func save(_ write: StoreWrite) {
    if let world = write.world { node.world = world }
    for change in write.devices {
      let known = change.replacesAll ? nil : node.devices[change.device]
      var device = known ?? StoredDevice(state: change.state)
      device.state = change.state
      for record in change.records {
        if let place = device.records.firstIndex(where: { $0.transactionId == record.transactionId }) {
          device.records[place] = record
        } else {
          device.records.append(record)
        }
      }
      for info in change.renewalInfos {
        device.renewalInfos.removeAll { $0.originalTransactionId == info.originalTransactionId }
        device.renewalInfos.append(info)
      }
      device.copies.merge(change.copies) { _, new in new }
      node.devices[change.device] = device
    }
  }
}
