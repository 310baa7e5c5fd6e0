/// Why a request was not done: the body of an error reply.
package struct WireError: Error, Codable, Hashable, Sendable {
  package struct Code: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The frames are not a message: too few, wrong magic, a name that is not UTF-8.
    package static let badFrame = Code(rawValue: "badFrame")
    /// Written in a version of the protocol that this node does not speak.
    package static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// No such request at this address.
    package static let unknownName = Code(rawValue: "unknownName")
    package static let badBody = Code(rawValue: "badBody")
    /// A message to nobody: no such world, account, device…
    package static let unknownAddress = Code(rawValue: "unknownAddress")
    /// The peer has not introduced itself on this connection: say `hello`, then again.
    package static let helloFirst = Code(rawValue: "helloFirst")
    package static let unauthorized = Code(rawValue: "unauthorized")
    /// The store says no, for a reason that a person should read; `refusal` names it.
    package static let refused = Code(rawValue: "refused")
    /// A mailbox is full: later.
    package static let overloaded = Code(rawValue: "overloaded")
    /// No answer in time. Whether it was done is not known: ask again with the same request id.
    package static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The node cannot serve this now, for example because its disk is full.
    package static let unavailable = Code(rawValue: "unavailable")
    package static let internalError = Code(rawValue: "internal")
  }

  package var code: Code
  /// One sentence: what, where, what was expected, what to do.
  package var message: String
  /// Set when `code` is `refused`.
  package var refusal: Refusal?

  package init(_ code: Code, _ message: String, refusal: Refusal? = nil) {
    self.code = code
    self.message = message
    self.refusal = refusal
  }

  package static func refused(_ refusal: Refusal, _ message: String) -> WireError {
    WireError(.refused, message, refusal: refusal)
  }

  /// Whether the same request, with the same id, may succeed later.
  package var isRetriable: Bool {
    switch code {
    case .helloFirst, .overloaded, .deadlineExceeded, .unavailable, .internalError: true
    default: false
    }
  }
}

extension WireError: CustomStringConvertible {
  package var description: String { message }
}

/// The store's reasons to say no.
package struct Refusal: RawRepresentable, Codable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let productUnavailable = Refusal(rawValue: "productUnavailable")
  package static let invalidQuantity = Refusal(rawValue: "invalidQuantity")
  package static let purchaseNotAllowed = Refusal(rawValue: "purchaseNotAllowed")
  package static let ineligibleForOffer = Refusal(rawValue: "ineligibleForOffer")
  package static let invalidOfferIdentifier = Refusal(rawValue: "invalidOfferIdentifier")
  package static let invalidOfferPrice = Refusal(rawValue: "invalidOfferPrice")
  package static let invalidOfferSignature = Refusal(rawValue: "invalidOfferSignature")
  package static let missingOfferParameters = Refusal(rawValue: "missingOfferParameters")
  package static let unknownTransaction = Refusal(rawValue: "unknownTransaction")
  package static let alreadyRefunded = Refusal(rawValue: "alreadyRefunded")
  package static let notASubscription = Refusal(rawValue: "notASubscription")
  package static let nothingPending = Refusal(rawValue: "nothingPending")
  package static let alreadyExists = Refusal(rawValue: "alreadyExists")
  package static let familyFull = Refusal(rawValue: "familyFull")
  package static let alreadyInFamily = Refusal(rawValue: "alreadyInFamily")
  package static let notInFamily = Refusal(rawValue: "notInFamily")
  package static let clockBackwards = Refusal(rawValue: "clockBackwards")
  package static let clockNotManual = Refusal(rawValue: "clockNotManual")
  package static let unverified = Refusal(rawValue: "unverified")
  package static let notYours = Refusal(rawValue: "notYours")
  package static let notOriginalTransaction = Refusal(rawValue: "notOriginalTransaction")
  package static let alreadyClaimed = Refusal(rawValue: "alreadyClaimed")
  package static let notAnIncrease = Refusal(rawValue: "notAnIncrease")
  package static let extensionIneligible = Refusal(rawValue: "extensionIneligible")
  package static let tooManyExtensions = Refusal(rawValue: "tooManyExtensions")
  package static let notRefunded = Refusal(rawValue: "notRefunded")
  package static let duplicateRefundRequest = Refusal(rawValue: "duplicateRefundRequest")
  package static let noRefundRequest = Refusal(rawValue: "noRefundRequest")
  package static let transactionTypeNotSupported = Refusal(rawValue: "transactionTypeNotSupported")
  package static let noNotificationURL = Refusal(rawValue: "noNotificationURL")
  package static let badTestNotificationToken = Refusal(rawValue: "badTestNotificationToken")
  package static let testNotificationNotFound = Refusal(rawValue: "testNotificationNotFound")
  package static let startDateTooFarInPast = Refusal(rawValue: "startDateTooFarInPast")
  package static let startDateAfterEndDate = Refusal(rawValue: "startDateAfterEndDate")
  package static let badPaginationToken = Refusal(rawValue: "badPaginationToken")
  package static let badNotificationType = Refusal(rawValue: "badNotificationType")
  package static let multipleFilters = Refusal(rawValue: "multipleFilters")
  package static let wrongState = Refusal(rawValue: "wrongState")
}
