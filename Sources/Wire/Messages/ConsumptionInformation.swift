import Foundation

/// What the developer tells the App Store of a purchase that a customer wants money back for, in either of Apple's
/// forms (App Store Server API: Send Consumption Information).
package enum ConsumptionInformation: Hashable, Sendable {
  case v1(ConsumptionRequestV1)
  case v2(ConsumptionRequestV2)

  /// What the developer would like the store to decide.
  package enum Preference: Hashable, Sendable {
    case decline, grantFull, grantProrated
  }

  /// Nil where the developer leaves it to the store.
  package var preference: Preference? {
    switch self {
    case .v1(let request):
      switch request.refundPreference {
      case 1: .grantFull
      case 2: .decline
      default: nil
      }
    case .v2(let request):
      switch request.refundPreference {
      case "DECLINE": .decline
      case "GRANT_FULL": .grantFull
      case "GRANT_PRORATED": .grantProrated
      default: nil
      }
    }
  }

  /// How much was used, in thousandths of a percent; nil where that was not said.
  package var consumptionPercentage: Int64? {
    if case .v2(let request) = self { request.consumptionPercentage } else { nil }
  }

  /// A field with a value that Apple does not document.
  package struct InvalidField: Error, Hashable, Sendable {
    package var field: String
    /// One sentence.
    package var message: String
  }

  /// The first field whose value is none of those that are documented.
  package var invalidField: InvalidField? {
    switch self {
    case .v1(let request): request.invalidField
    case .v2(let request): request.invalidField
    }
  }
}

/// The first form, all numbers. A field that is missing counts as 0, undeclared.
package struct ConsumptionRequestV1: Codable, Hashable, Sendable {
  package var customerConsented: Bool
  /// 0 undeclared, 1 not consumed, 2 partly, 3 fully.
  package var consumptionStatus: Int?
  /// 0 undeclared, 1 Apple, 2 another.
  package var platform: Int?
  package var sampleContentProvided: Bool?
  /// 0 delivered and working, 1 to 5 for reasons why not.
  package var deliveryStatus: Int?
  /// A UUID, or empty.
  package var appAccountToken: String?
  package var accountTenure: Int?
  package var playTime: Int?
  package var lifetimeDollarsRefunded: Int?
  package var lifetimeDollarsPurchased: Int?
  package var userStatus: Int?
  /// 0 undeclared, 1 grant, 2 decline, 3 no preference.
  package var refundPreference: Int?

  package init(customerConsented: Bool = true, consumptionStatus: Int? = nil, refundPreference: Int? = nil) {
    self.customerConsented = customerConsented
    self.consumptionStatus = consumptionStatus
    self.refundPreference = refundPreference
  }

  fileprivate var invalidField: ConsumptionInformation.InvalidField? {
    guard customerConsented else { return .noConsent }
    let numbers: [(field: String, value: Int?, most: Int)] = [
      ("consumptionStatus", consumptionStatus, 3), ("platform", platform, 2), ("deliveryStatus", deliveryStatus, 5),
      ("accountTenure", accountTenure, 7), ("playTime", playTime, 7),
      ("lifetimeDollarsRefunded", lifetimeDollarsRefunded, 7),
      ("lifetimeDollarsPurchased", lifetimeDollarsPurchased, 7), ("userStatus", userStatus, 4),
      ("refundPreference", refundPreference, 3),
    ]
    for (field, value, most) in numbers {
      guard let value, !(0...most).contains(value) else { continue }
      return .init(field: field, message: "'\(field)' is \(value): expected 0 to \(most)")
    }
    if let token = appAccountToken, !token.isEmpty, UUID(uuidString: token) == nil {
      return .init(
        field: "appAccountToken", message: "'appAccountToken' is '\(token.prefix(50))': expected a UUID, or nothing")
    }
    return nil
  }
}

/// The second form.
package struct ConsumptionRequestV2: Codable, Hashable, Sendable {
  package var customerConsented: Bool
  package var sampleContentProvided: Bool
  package var deliveryStatus: String
  /// Thousandths of a percent.
  package var consumptionPercentage: Int64?
  package var refundPreference: String?

  package static let deliveryStatuses = [
    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
    "UNDELIVERED_OTHER",
  ]
  package static let refundPreferences = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

  package init(
    customerConsented: Bool = true, sampleContentProvided: Bool = false, deliveryStatus: String = "DELIVERED",
    consumptionPercentage: Int64? = nil, refundPreference: String? = nil
  ) {
    self.customerConsented = customerConsented
    self.sampleContentProvided = sampleContentProvided
    self.deliveryStatus = deliveryStatus
    self.consumptionPercentage = consumptionPercentage
    self.refundPreference = refundPreference
  }

  fileprivate var invalidField: ConsumptionInformation.InvalidField? {
    guard customerConsented else { return .noConsent }
    guard ConsumptionRequestV2.deliveryStatuses.contains(deliveryStatus) else {
      return .init(
        field: "deliveryStatus",
        message: "'deliveryStatus' is '\(deliveryStatus.prefix(50))': expected "
          + ConsumptionRequestV2.deliveryStatuses.joined(separator: ", "))
    }
    if let consumptionPercentage, !(0...100_000).contains(consumptionPercentage) {
      return .init(
        field: "consumptionPercentage",
        message: "'consumptionPercentage' is \(consumptionPercentage): expected 0 to 100000 thousandths of a percent")
    }
    if let refundPreference, !ConsumptionRequestV2.refundPreferences.contains(refundPreference) {
      return .init(
        field: "refundPreference",
        message: "'refundPreference' is '\(refundPreference.prefix(50))': expected "
          + ConsumptionRequestV2.refundPreferences.joined(separator: ", "))
    }
    return nil
  }
}

extension ConsumptionInformation.InvalidField {
  fileprivate static let noConsent = Self(
    field: "customerConsented",
    message: "'customerConsented' is false: without the customer's consent nothing may be sent, expected true")
}

extension ConsumptionInformation: Codable {
  private enum Kind: String, Codable {
    case v1, v2
  }

  private enum Key: String, CodingKey {
    case kind
  }

  package init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .kind) {
    case .v1: self = .v1(try ConsumptionRequestV1(from: decoder))
    case .v2: self = .v2(try ConsumptionRequestV2(from: decoder))
    }
  }

  /// The fields stand beside the `kind`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .v1(let request):
      try container.encode(Kind.v1, forKey: .kind)
      try request.encode(to: encoder)
    case .v2(let request):
      try container.encode(Kind.v2, forKey: .kind)
      try request.encode(to: encoder)
    }
  }
}
