public import Foundation

// Purchases outside of the App Store, which some regions have. Worlds sell in the store alone: nobody is eligible, and
// what would bring up a notice says that it is unsupported.

public enum ExternalPurchase: Sendable {
  @nonexhaustive public enum NoticeResult: Hashable, Sendable {
    case cancelled
    case continuedWithExternalPurchaseToken(token: String)
  }

  public static var canPresent: Bool {
    get async { false }
  }

  /// - Throws: `StoreKitError.unsupported`.
  public static func presentNoticeSheet() async throws -> NoticeResult { throw StoreKitError.unsupported }
}

public enum ExternalPurchaseLink: Sendable {
  public static var canOpen: Bool {
    get async { false }
  }

  public static var eligibleURLs: [URL]? {
    get async { nil }
  }

  /// - Throws: `StoreKitError.unsupported`.
  public static func open() async throws { throw StoreKitError.unsupported }
  public static func open(url: URL) async throws { throw StoreKitError.unsupported }
}

public enum ExternalPurchaseCustomLink: Sendable {
  @nonexhaustive public enum NoticeResult: Hashable, Sendable {
    case cancelled
    case continued
  }

  @nonexhaustive public enum NoticeType: Int, Hashable, Sendable {
    case withinApp
    case browser
  }

  public struct Token: Hashable, Sendable {
    public let value: String
  }

  public static var isEligible: Bool {
    get async { false }
  }

  /// - Throws: `StoreKitError.unsupported`.
  public static func showNotice(type: NoticeType) async throws -> NoticeResult { throw StoreKitError.unsupported }
  public static func token(for tokenType: String) async throws -> Token? { throw StoreKitError.unsupported }
}

public enum ExternalLinkAccount: Sendable {
  public static var canOpen: Bool {
    get async { false }
  }

  /// - Throws: `StoreKitError.unsupported`.
  public static func open() async throws { throw StoreKitError.unsupported }
}
