// Codes and texts: Apple, App Store Server API, "Error codes", a page for each.

extension APIError {
  static let generalBadRequest = APIError(4_000_000, "Bad request.")
  static let invalidRequestRevision = APIError(4_000_005, "Invalid request revision.")
  static let invalidTransactionId = APIError(4_000_006, "Invalid transaction id.")
  static let invalidOriginalTransactionId = APIError(4_000_008, "Invalid original transaction id.")
  static let invalidExtendByDays = APIError(4_000_009, "Invalid extend by days value.")
  static let invalidExtendReasonCode = APIError(4_000_010, "Invalid extend reason code.")
  static let invalidRequestIdentifier = APIError(4_000_011, "Invalid request identifier.")
  static let startDateTooFarInPast = APIError(4_000_012, "Start date is too far in the past.")
  static let startDateAfterEndDate = APIError(
    4_000_013, "Invalid request. The end date precedes the start date or the dates are the same.")
  static let invalidPaginationToken = APIError(4_000_014, "Invalid request. The pagination token is invalid.")
  static let invalidStartDate = APIError(
    4_000_015, "Invalid request. The start date is not a timestamp value represented in milliseconds.")
  static let invalidEndDate = APIError(
    4_000_016, "Invalid request. The end date is not a timestamp value represented in milliseconds.")
  static let invalidNotificationType = APIError(
    4_000_018, "Invalid request. The notification type or subtype is invalid.")
  static let multipleFiltersSupplied = APIError(
    4_000_019, "Invalid request. Supply either a transaction id or a notification type, but not both.")
  static let invalidTestNotificationToken = APIError(
    4_000_020, "Invalid request. The test notification token is invalid.")
  static let invalidSort = APIError(4_000_021, "Invalid request. The sort parameter is invalid.")
  static let invalidProductType = APIError(4_000_022, "Invalid request. The product type parameter is invalid.")
  static let invalidProductId = APIError(4_000_023, "Invalid request. The product id parameter is invalid.")
  static let invalidSubscriptionGroupIdentifier = APIError(
    4_000_024, "Invalid request. The subscription group identifier parameter is invalid.")
  static let invalidExcludeRevoked = APIError(
    4_000_025, "Invalid request. The exclude revoked parameter is invalid.")
  static let invalidInAppOwnershipType = APIError(
    4_000_026, "Invalid request. The in app ownership type parameter is invalid.")
  static let invalidEmptyStorefrontCountryCodeList = APIError(
    4_000_027, "Invalid request. If provided, the list of storefront country codes must not be empty.")
  static let invalidStorefrontCountryCode = APIError(
    4_000_028, "Invalid request. A storefront country code was invalid.")
  static let invalidRevoked = APIError(4_000_030, "Invalid request. The revoked parameter is invalid.")
  static let invalidStatus = APIError(4_000_031, "Invalid request. The status parameter is invalid.")

  static let invalidAccountTenure = APIError(
    4_000_032, "Invalid request. The account tenure field must be an integer.")
  static let invalidAppAccountToken = APIError(
    4_000_033, "Invalid request. The app account token field must contain a valid UUID or an empty string.")
  static let invalidConsumptionStatus = APIError(
    4_000_034, "Invalid request. The consumption status field must be an integer.")
  static let invalidCustomerConsented = APIError(
    4_000_035,
    "Invalid request. The customer consented field is required and must indicate the customer consented.")
  static let invalidDeliveryStatus = APIError(4_000_036, "Invalid request. The delivery status field is invalid.")
  static let invalidLifetimeDollarsPurchased = APIError(
    4_000_037, "Invalid request. The lifetime dollars purchased field must be an integer.")
  static let invalidLifetimeDollarsRefunded = APIError(
    4_000_038, "Invalid request. The lifetime dollars refunded field must be an integer.")
  static let invalidPlatform = APIError(4_000_039, "Invalid request. The platform field must be an integer.")
  static let invalidPlayTime = APIError(4_000_040, "Invalid request. The play time field must be an integer.")
  static let invalidSampleContentProvided = APIError(
    4_000_041, "Invalid request. The sample content provided field must be a boolean.")
  static let invalidUserStatus = APIError(4_000_042, "Invalid request. The user status field must be an integer.")
  static let invalidRefundPreference = APIError(
    4_000_044, "Invalid request. The refund preference field is invalid.")
  static let transactionTypeNotSupported = APIError(
    4_000_047, "Invalid request. The transaction id is of an in-app purchase type that is not supported.")
  static let appTransactionIdNotSupported = APIError(
    4_000_048, "Invalid request. App transaction ids are not supported by this endpoint.")
  static let invalidAppAccountTokenUUID = APIError(
    4_000_183, "Invalid request. The app account token field must be a valid UUID.")
  static let familyTransactionNotSupported = APIError(
    4_000_185, "Invalid request. Family transactions aren't supported by this endpoint.")
  static let transactionIdIsNotOriginalTransactionId = APIError(
    4_000_187, "Invalid request. The transaction id provided is not an original transaction id.")

  static let subscriptionExtensionIneligible = APIError(
    4_030_004, "Forbidden - subscription state ineligible for extension.")
  static let subscriptionMaxExtension = APIError(
    4_030_005, "Forbidden - subscription has reached maximum extension count.")
  static let familySharedSubscriptionExtensionIneligible = APIError(
    4_030_007, "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly.")

  static let appNotFound = APIError(4_040_003, "App not found.")
  static let originalTransactionIdNotFound = APIError(4_040_005, "Original transaction id not found.")
  static let serverNotificationURLNotFound = APIError(
    4_040_007,
    "No App Store Server Notification URL found for provided app. "
      + "Check that a URL is configured in App Store Connect for this environment.")
  static let testNotificationNotFound = APIError(
    4_040_008,
    "Either the test notification token is expired or the notification and status are not yet available.")
  static let statusRequestNotFound = APIError(
    4_040_009,
    "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId "
      + "combination.")
  static let transactionIdNotFound = APIError(4_040_010, "Transaction id not found.")
  static let appTransactionDoesNotExist = APIError(4_040_019, "No App Transaction exists for the customer.")

  static let rateLimitExceeded = APIError(4_290_000, "Rate limit exceeded.")
  static let generalInternal = APIError(5_000_000, "An unknown error occurred.")
  static let generalInternalRetryable = APIError(5_000_001, "An unknown error occurred. Please try again.")
}
