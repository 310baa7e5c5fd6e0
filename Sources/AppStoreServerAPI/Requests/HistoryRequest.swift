import HTTPServer
import ServerNode
import Shared

/// The query of Get Transaction History.
struct HistoryRequest: Hashable {
  enum Version: Hashable {
    /// Deprecated: leaves out finished consumables.
    case v1
    case v2
  }

  static let pageCount = 20

  var version: Version
  var isDescending = false
  var after: UInt64?
  var products: Set<String>?
  var types: Set<ProductType>?
  var groups: Set<String>?
  var startDate: StoreTime?
  var endDate: StoreTime?
  var isShared: Bool?
  var isRevoked: Bool?

  /// - Parameter ordinal: Of the account whose history it is.
  init(_ version: Version, _ request: HTTPRequest, ordinal: UInt64) throws(APIError) {
    self.version = version
    if let sort = request.query("sort") {
      guard ["ASCENDING", "DESCENDING"].contains(sort) else { throw .invalidSort }
      isDescending = sort == "DESCENDING"
    }
    startDate = try HistoryRequest.date(request.query("startDate"), else: .invalidStartDate)
    endDate = try HistoryRequest.date(request.query("endDate"), else: .invalidEndDate)
    if let startDate, let endDate, startDate >= endDate { throw .startDateAfterEndDate }
    products = try HistoryRequest.texts(request.queryValues("productId"), else: .invalidProductId)
    groups = try HistoryRequest.texts(
      request.queryValues("subscriptionGroupIdentifier"), else: .invalidSubscriptionGroupIdentifier)
    types = try HistoryRequest.types(request.queryValues("productType"))
    if let ownership = request.query("inAppOwnershipType") {
      guard ["PURCHASED", "FAMILY_SHARED"].contains(ownership) else { throw .invalidInAppOwnershipType }
      isShared = ownership == "FAMILY_SHARED"
    }
    isRevoked = try HistoryRequest.flag(request.query("revoked"), else: .invalidRevoked)
    if version == .v1, try HistoryRequest.flag(request.query("excludeRevoked"), else: .invalidExcludeRevoked) == true {
      isRevoked = false
    }
    if let revision = request.query("revision") {
      after = try Revision(revision, list: list, ordinal: ordinal).change
    }
  }

  var list: Revision.List { isDescending ? .descending : .ascending }

  /// The rows of the journal that are wanted, `count` of them.
  func query(after: UInt64?, count: Int) -> RecordQuery {
    RecordQuery(
      after: after, limit: count, isDescending: isDescending, products: products, types: types, groups: groups,
      purchasedFrom: startDate, purchasedUntil: endDate, isShared: isShared, isRevoked: isRevoked)
  }

  /// What the journal cannot tell.
  func wants(_ record: TransactionRecord) -> Bool {
    version == .v2 || record.type != .consumable || !record.isFinished
  }

  // MARK: Values

  private static func date(_ text: String?, else error: APIError) throws(APIError) -> StoreTime? {
    guard let text else { return nil }
    guard let milliseconds = Int64(text), milliseconds >= 0 else { throw error }
    return StoreTime(milliseconds: milliseconds)
  }

  private static func texts(_ values: [String], else error: APIError) throws(APIError) -> Set<String>? {
    guard values.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 255 }) else { throw error }
    return values.isEmpty ? nil : Set(values)
  }

  private static func types(_ values: [String]) throws(APIError) -> Set<ProductType>? {
    var types: Set<ProductType> = []
    for value in values {
      switch value {
      case "AUTO_RENEWABLE": types.insert(.autoRenewable)
      case "NON_RENEWABLE": types.insert(.nonRenewing)
      case "CONSUMABLE": types.insert(.consumable)
      case "NON_CONSUMABLE": types.insert(.nonConsumable)
      default: throw .invalidProductType
      }
    }
    return types.isEmpty ? nil : types
  }

  /// Apple's Python library writes `True`.
  private static func flag(_ text: String?, else error: APIError) throws(APIError) -> Bool? {
    switch text?.lowercased() {
    case nil: return nil
    case "true": return true
    case "false": return false
    default: throw error
    }
  }
}
