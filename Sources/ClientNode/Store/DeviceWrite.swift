package import Shared
package import Wire

/// The changes of one device.
package struct DeviceWrite: Sendable {
  package var device: String
  /// Whether records, renewal infos and copies that are not in this write go.
  package var replacesAll: Bool
  package var state: DeviceState
  package var records: [TransactionRecord]
  package var renewalInfos: [RenewalInfo]
  package var copies: [WantedCopy.Subject: SignedCopy]

  package init(
    device: String, replacesAll: Bool, state: DeviceState, records: [TransactionRecord], renewalInfos: [RenewalInfo],
    copies: [WantedCopy.Subject: SignedCopy]
  ) {
    self.device = device
    self.replacesAll = replacesAll
    self.state = state
    self.records = records
    self.renewalInfos = renewalInfos
    self.copies = copies
  }
}
