import Foundation
import Wire

/// The bodies of Send Consumption Information, field by field, each with an error of its own.
enum ConsumptionBody {
  static func v1(_ body: APIBody) throws(APIError) -> ConsumptionRequestV1 {
    var request = ConsumptionRequestV1()
    try checkConsent(body)
    request.consumptionStatus = try body.integer("consumptionStatus", in: 0...3, else: .invalidConsumptionStatus)
    request.platform = try body.integer("platform", in: 0...2, else: .invalidPlatform)
    request.sampleContentProvided = try sampleContentProvided(body)
    request.deliveryStatus = try body.integer("deliveryStatus", in: 0...5, else: .invalidDeliveryStatus)
    if let token = body["appAccountToken"] {
      guard let text = token.string, text.isEmpty || UUID(uuidString: text) != nil else {
        throw .invalidAppAccountToken
      }
      request.appAccountToken = text
    }
    request.accountTenure = try body.integer("accountTenure", in: 0...7, else: .invalidAccountTenure)
    request.playTime = try body.integer("playTime", in: 0...7, else: .invalidPlayTime)
    request.lifetimeDollarsRefunded = try body.integer(
      "lifetimeDollarsRefunded", in: 0...7, else: .invalidLifetimeDollarsRefunded)
    request.lifetimeDollarsPurchased = try body.integer(
      "lifetimeDollarsPurchased", in: 0...7, else: .invalidLifetimeDollarsPurchased)
    request.userStatus = try body.integer("userStatus", in: 0...4, else: .invalidUserStatus)
    request.refundPreference = try body.integer("refundPreference", in: 0...3, else: .invalidRefundPreference)
    return request
  }

  static func v2(_ body: APIBody) throws(APIError) -> ConsumptionRequestV2 {
    try checkConsent(body)
    guard let sample = try sampleContentProvided(body) else { throw .invalidSampleContentProvided }
    guard let delivery = body["deliveryStatus"]?.string, ConsumptionRequestV2.deliveryStatuses.contains(delivery)
    else { throw .invalidDeliveryStatus }
    var request = ConsumptionRequestV2(sampleContentProvided: sample, deliveryStatus: delivery)
    request.consumptionPercentage = try body.integer("consumptionPercentage", in: 0...100_000, else: .generalBadRequest)
      .map { Int64($0) }
    if let preference = body["refundPreference"] {
      guard let text = preference.string, ConsumptionRequestV2.refundPreferences.contains(text) else {
        throw .invalidRefundPreference
      }
      request.refundPreference = text
    }
    return request
  }

  private static func checkConsent(_ body: APIBody) throws(APIError) {
    guard body["customerConsented"]?.boolean == true else { throw .invalidCustomerConsented }
  }

  private static func sampleContentProvided(_ body: APIBody) throws(APIError) -> Bool? {
    guard let value = body["sampleContentProvided"] else { return nil }
    guard let flag = value.boolean else { throw .invalidSampleContentProvided }
    return flag
  }
}
