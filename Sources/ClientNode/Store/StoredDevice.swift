package import Shared
package import Wire

/// One device as it is stored.
package struct StoredDevice: Sendable {
  package var state: DeviceState
  package var records: [TransactionRecord]
  package var renewalInfos: [RenewalInfo]
  package var copies: [WantedCopy.Subject: SignedCopy]

  package init(
    state: DeviceState, records: [TransactionRecord] = [], renewalInfos: [RenewalInfo] = [],
    copies: [WantedCopy.Subject: SignedCopy] = [:]
  ) {
    self.state = state
    self.records = records
    self.renewalInfos = renewalInfos
    self.copies = copies
  }
}
