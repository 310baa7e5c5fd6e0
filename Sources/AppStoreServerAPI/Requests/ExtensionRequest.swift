import Shared
import Wire

/// What both requests for extensions have in common.
struct ExtensionRequest: Hashable {
  /// 1 to 90.
  var days: Int
  /// Apple: extendReasonCode, 0 to 3.
  var reason: Int
  var requestIdentifier: String

  static let longestIdentifier = 128

  init(_ body: APIBody) throws(APIError) {
    let allowed = ExtendSubscription.daysAllowed
    days = try body.required(
      "extendByDays", in: Int64(allowed.lowerBound)...Int64(allowed.upperBound), else: .invalidExtendByDays)
    let reasons = ExtendSubscription.reasonsAllowed
    reason = try body.required(
      "extendReasonCode", in: Int64(reasons.lowerBound)...Int64(reasons.upperBound), else: .invalidExtendReasonCode)
    requestIdentifier = try body.text(
      "requestIdentifier", most: ExtensionRequest.longestIdentifier, else: .invalidRequestIdentifier)
  }

  /// Those of the body; nil for everywhere.
  static func storefronts(_ body: APIBody) throws(APIError) -> [String]? {
    guard let value = body["storefrontCountryCodes"] else { return nil }
    guard let values = value.array else { throw .invalidStorefrontCountryCode }
    guard !values.isEmpty else { throw .invalidEmptyStorefrontCountryCodeList }
    var codes: [String] = []
    for value in values {
      guard let code = value.string, StorefrontCode.all.contains(code) else { throw .invalidStorefrontCountryCode }
      codes.append(code)
    }
    return codes
  }
}
