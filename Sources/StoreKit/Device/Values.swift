import Foundation

extension Decimal {
  /// A price or percentage in thousandths, exactly.
  init(milliunits: Int64) { self = Decimal(milliunits) / 1000 }
}

extension Data {
  /// Empty for a payload that is not bound to a device.
  init(deviceVerification: String?) { self = deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data() }
}

extension UUID {
  /// All zeros for a payload that is not bound to a device.
  init(deviceVerificationNonce: String?) {
    let zeros = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    self = deviceVerificationNonce.flatMap(UUID.init(uuidString:)) ?? zeros
  }
}
