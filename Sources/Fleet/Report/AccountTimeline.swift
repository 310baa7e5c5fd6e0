import Foundation
import Shared
package import Wire

/// An account's journal in words, an event after the other.
package struct AccountTimeline: Sendable {
  package struct Line: Sendable, Hashable, Encodable {
    package var sequence: UInt64
    /// ISO 8601 in UTC.
    package var at: String
    /// The journal's own name of the event.
    package var name: String
    package var text: String
    package var products: [String]
  }

  package private(set) var lines: [Line] = []
  private var products: [TransactionID: String] = [:]

  package init(_ entries: [ReadJournal.Entry]) {
    for entry in entries { read(entry) }
  }

  private mutating func read(_ entry: ReadJournal.Entry) {
    let body = try? LedgerBody.read(entry.body)
    let update = AccountUpdate(
      sequence: entry.sequence, name: entry.name, at: entry.at, records: body?.records ?? [],
      renewalInfos: body?.renewalInfos ?? [], finished: body?.finished ?? [])
    read(update, LedgerDetail.read(entry.body))
  }

  /// Adds an event as devices get it, which says a little less than the journal's.
  @discardableResult
  package mutating func read(_ update: AccountUpdate) -> Line {
    var detail = LedgerDetail()
    detail.storefront = update.storefront
    return read(update, detail)
  }

  @discardableResult
  private mutating func read(_ update: AccountUpdate, _ detail: LedgerDetail) -> Line {
    for record in update.records { products[record.transactionId] = record.productId }
    let numbered = update.finished + (detail.lineages ?? []) + [detail.transactionId].compactMap(\.self)
    let named =
      update.records.map(\.productId) + update.renewalInfos.map(\.productId) + numbered.compactMap { products[$0] }
      + [detail.productId, detail.request?.purchase.productId].compactMap(\.self)
    let unique = named.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let text =
      words(update.name, update.records, update.renewalInfos.first, detail, finished: update.finished, unique)
      ?? ([update.name] + unique).joined(separator: " ")
    let line = Line(
      sequence: update.sequence, at: update.at.description, name: update.name, text: text, products: unique)
    lines.append(line)
    return line
  }

  /// Nil for an event that has no words here: its name then says what it is.
  private func words(
    _ name: String, _ records: [TransactionRecord], _ info: RenewalInfo?, _ detail: LedgerDetail,
    finished: [TransactionID], _ products: [String]
  ) -> String? {
    let product = products.isEmpty ? "something" : products.joined(separator: ", ")
    // A purchase that upgrades also changes the transaction that it replaces.
    let record = records.last { !$0.isUpgraded } ?? records.last
    switch name {
    case "opened": return "the account was opened"
    case "purchased": return record.map { bought($0, replaced: records.first(where: \.isUpgraded)) }
    case "renewed": return record.map { "\($0.productId) renewed\(until($0)) for \(price($0.price, $0.currency))" }
    case "billingRecovered": return "payment succeeded: \(product) goes on\(record.map(until) ?? "")"
    case "finished":
      return "finished "
        + finished.map { [self.products[$0], "\($0)"].compactMap(\.self).joined(separator: " ") }.joined(
          separator: ", ")
    case "refundRequested":
      let reason = detail.requestReason.flatMap { $0 == "OTHER" ? nil : " (\($0))" } ?? ""
      return "the customer asks for money back for \(product)\(reason)"
        + (detail.answerBy.map { "; the backend may tell until \($0) what was used" } ?? "")
    case "consumptionInformationSent": return consumption(of: product, detail.information)
    case "refunded": return record.map(refunded)
    case "refundDeclined": return "no money back for \(product)"
    case "refundReversed": return "the refund of \(product) was taken back"
    case "granted": return "the family shares \(product)\(record.map(until) ?? "")"
    case "revoked": return "the family no longer shares \(product)"
    case "askedToBuy": return "asks to buy \(product)"
    case "askToBuyDeclined": return "the family organiser said no"
    case "askToBuyApproved": return "the family organiser said yes" + (record.map { ": \($0.productId)" } ?? "")
    case "askToBuyExpired": return "nobody answered the request to buy for a day"
    case "purchaseInterrupted": return "the purchase of \(product) is interrupted"
    case "issueResolved": return "the issue was resolved, and there was nothing left to sell"
    case "interruptionChanged": return "whether purchases are interrupted has changed"
    case "claimed": return "\(products.isEmpty ? "a purchase" : product) belongs to a user of the app now"
    case "familyJoined": return "joined the family" + (detail.family.map { " \($0)" } ?? "")
    case "familyLeft": return "left the family"
    case "madeShareable": return "\(product) can be shared with the family"
    case "appAccountTokenSet": return "\(product) has another appAccountToken"
    case "storefrontChanged": return "moved to the storefront" + (detail.storefront.map { " \($0)" } ?? "")
    case "offerSignatureUsed": return "the signature of an offer is used up, though the purchase was refused"
    case "cutShort": return "the period of \(product) ends now, since a test asks for it"
    case "deleted": return "a purchase is taken out of the history, since a test asks for it"
    case "reset": return "everything that was bought is forgotten"
    case "billingChanged":
      guard let fails = detail.fails else { return "whether the store can charge has changed" }
      return "the store \(fails ? "cannot" : "can") charge \(detail.productId.map { "for \($0)" } ?? "the account")"
    default: return info.flatMap { subscriptionWords(name, $0) }
    }
  }

  private func consumption(of product: String, _ information: ConsumptionInformation?) -> String {
    let used = information?.consumptionPercentage.map { ", \($0 / 1_000) %" } ?? ""
    let preference =
      switch information?.preference {
      case .decline: ", and prefers no refund"
      case .grantFull: ", and prefers a refund"
      case .grantProrated: ", and prefers a refund of what was not used"
      case nil: ""
      }
    return "the backend tells what was used of \(product)\(used)\(preference)"
  }

  private func subscriptionWords(_ name: String, _ info: RenewalInfo) -> String? {
    switch name {
    case "renewalPreferenceChanged":
      info.autoRenewProductId == info.productId
        ? "\(info.productId) stays" : "\(info.productId) becomes \(info.autoRenewProductId) on \(info.renewalDate)"
    case "autoRenewChanged": "auto-renew of \(info.productId) is \(info.willAutoRenew ? "on" : "off")"
    case "expired": "\(info.productId) lapsed" + (reason(info.expirationIntent).map { ": \($0)" } ?? "")
    case "billingFailed":
      "payment for \(info.productId) failed: "
        + (info.gracePeriodExpiresDate.map { "in grace until \($0)" } ?? "the access is gone, billing is tried again")
    case "gracePeriodExpired": "the grace of \(info.productId) is over: the access is gone, billing is tried again"
    case "priceIncreaseRequested":
      // Until the customer agrees the renewal's price is the old one.
      info.priceIncreaseStatus == 0
        ? "\(info.productId) will cost more than \(price(info.renewalPrice, info.currency)) from \(info.renewalDate), "
          + "if the customer agrees"
        : "\(info.productId) will cost \(price(info.renewalPrice, info.currency)) from \(info.renewalDate)"
    case "priceIncreaseAnswered":
      info.priceIncreaseStatus == 1
        ? "agreed to \(price(info.renewalPrice, info.currency)) for \(info.productId)"
        : "did not agree to the new price of \(info.productId)"
    case "extended": "\(info.productId) was extended: renews on \(info.renewalDate)"
    default: nil
    }
  }

  private func bought(_ record: TransactionRecord, replaced: TransactionRecord?) -> String {
    let times = record.quantity > 1 ? " × \(record.quantity)" : ""
    let what =
      record.offer?.discountType == "FREE_TRIAL"
      ? "began a free trial of \(record.productId)\(until(record))"
      : "bought \(record.productId)\(times)\(until(record)) for \(price(record.price, record.currency))"
    return what + (replaced.map { ", instead of \($0.productId)" } ?? "") + " (transaction \(record.transactionId))"
  }

  private func refunded(_ record: TransactionRecord) -> String {
    let share = record.revocation?.percentage.map { $0 == Revocation.wholePercentage ? "" : " (\($0 / 1_000) %)" } ?? ""
    return "money back for \(record.productId)\(share) (transaction \(record.transactionId))"
  }

  private func until(_ record: TransactionRecord) -> String { record.expiresDate.map { " until \($0)" } ?? "" }

  private func price(_ milliunits: Int64, _ currency: String) -> String {
    let digits = StorefrontCurrency.fractionDigits(of: currency)
    return "\(Milliunits.text(milliunits, fractionDigits: digits)) \(currency)"
  }

  /// Apple: expirationIntent.
  private func reason(_ intent: Int?) -> String? {
    switch intent {
    case 1: "it was cancelled"
    case 2: "it could not be charged"
    case 3: "the customer did not agree to the new price"
    case 4: "the product is no longer sold"
    default: nil
    }
  }
}
