import ClientNode

extension Transaction {
  /// What happens to the account's transactions while the app runs, and what was unfinished at its launch. Never ends
  /// by itself; each iterator gets every element from the moment when it is made.
  public static var updates: Transactions { Transactions(.updates, on: CurrentDevice.orNothing()) }

  /// What has not been finished yet.
  public static var unfinished: Transactions { query(.unfinished) }

  /// The transactions that entitle the customer to something now.
  public static var currentEntitlements: Transactions { query(.currentEntitlements) }

  /// The transactions that entitle the customer to a product: their own, and what a family member shares.
  public static func currentEntitlements(for productID: String) -> Transactions {
    query(.currentEntitlements, productId: productID)
  }

  /// The customer's history, without finished consumables.
  public static var all: Transactions { query(.all) }

  public static func all(for productID: String) -> Transactions { query(.all, productId: productID) }

  /// The newest transaction of a product.
  public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
    await first(of: Transactions(.query(.latest(productId: productID), productId: nil), on: CurrentDevice.orNothing()))
  }

  /// The transaction that entitles the customer to a product; their own comes before one that is shared with them.
  public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
    var shared: VerificationResult<Transaction>?
    for await result in currentEntitlements(for: productID) {
      if result.unsafePayloadValue.ownershipType == .purchased { return result }
      shared = shared ?? result
    }
    return shared
  }

  private static func query(_ query: TransactionQuery, productId: String? = nil) -> Transactions {
    Transactions(.query(query, productId: productId), on: CurrentDevice.orNothing())
  }

  static func first(of transactions: Transactions) async -> VerificationResult<Transaction>? {
    var iterator = transactions.makeAsyncIterator()
    return await iterator.next()
  }
}
