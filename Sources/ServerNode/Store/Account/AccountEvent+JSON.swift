import Foundation
import Shared
import Wire

// The journal's JSON, which old files keep: an object whose `kind` says which of several things it is, written by hand
// so that it does not follow the names and labels in this code.

extension AccountEvent.Detail: Codable {
  private enum Kind: String, Codable {
    case profile, askToBuy, answered, family, claim, billing, `extension`, refund, sharedClaim, storefront
    case redemption, refundRequest, consumption, shareable, interruption, deletion
  }

  private enum Key: String, CodingKey {
    case kind, profile, request, askToBuy, family, lineages, appAccountToken, productId, fails, `extension`
    case transactionId, storefront, redemption, information, since, on, lineage
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .profile: self = .profile(try container.decode(AccountProfile.self, forKey: .profile))
    case .askToBuy: self = .askToBuy(try container.decode(PendingPurchase.self, forKey: .request))
    case .answered: self = .answered(askToBuy: try container.decode(String.self, forKey: .askToBuy))
    case .family: self = .family(try container.decode(String.self, forKey: .family))
    case .claim:
      self = .claim(
        lineages: try container.decode([TransactionID].self, forKey: .lineages),
        appAccountToken: try container.decode(UUID.self, forKey: .appAccountToken))
    case .sharedClaim:
      self = .sharedClaim(
        lineages: try container.decode([TransactionID].self, forKey: .lineages),
        appAccountToken: try container.decode(UUID.self, forKey: .appAccountToken))
    case .storefront: self = .storefront(try container.decode(String.self, forKey: .storefront))
    case .billing:
      self = .billing(
        productId: try container.decodeIfPresent(String.self, forKey: .productId),
        fails: try container.decode(Bool.self, forKey: .fails))
    case .interruption: self = .interruption(on: try container.decode(Bool.self, forKey: .on))
    case .extension:
      self = .extension(try container.decode(SubscriptionExtension.self, forKey: .extension))
    case .redemption:
      self = .redemption(try container.decode(RedeemedOffer.self, forKey: .redemption))
    case .refundRequest: self = .refundRequest(try RefundRequest(from: decoder))
    case .consumption:
      self = .consumption(
        of: try container.decode(TransactionID.self, forKey: .transactionId),
        try container.decode(ConsumptionInformation.self, forKey: .information))
    case .shareable:
      self = .shareable(
        lineages: try container.decode([TransactionID].self, forKey: .lineages),
        since: try container.decode(StoreTime.self, forKey: .since))
    case .refund: self = .refund(of: try container.decode(TransactionID.self, forKey: .transactionId))
    case .deletion: self = .deletion(lineage: try container.decode(TransactionID.self, forKey: .lineage))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .profile(let profile):
      try container.encode(Kind.profile, forKey: .kind)
      try container.encode(profile, forKey: .profile)
    case .askToBuy(let request):
      try container.encode(Kind.askToBuy, forKey: .kind)
      try container.encode(request, forKey: .request)
    case .answered(let askToBuy):
      try container.encode(Kind.answered, forKey: .kind)
      try container.encode(askToBuy, forKey: .askToBuy)
    case .family(let family):
      try container.encode(Kind.family, forKey: .kind)
      try container.encode(family, forKey: .family)
    case .claim(let lineages, let appAccountToken):
      try container.encode(Kind.claim, forKey: .kind)
      try container.encode(lineages, forKey: .lineages)
      try container.encode(appAccountToken, forKey: .appAccountToken)
    case .sharedClaim(let lineages, let appAccountToken):
      try container.encode(Kind.sharedClaim, forKey: .kind)
      try container.encode(lineages, forKey: .lineages)
      try container.encode(appAccountToken, forKey: .appAccountToken)
    case .storefront(let storefront):
      try container.encode(Kind.storefront, forKey: .kind)
      try container.encode(storefront, forKey: .storefront)
    case .billing(let productId, let fails):
      try container.encode(Kind.billing, forKey: .kind)
      try container.encodeIfPresent(productId, forKey: .productId)
      try container.encode(fails, forKey: .fails)
    case .interruption(let on):
      try container.encode(Kind.interruption, forKey: .kind)
      try container.encode(on, forKey: .on)
    case .extension(let value):
      try container.encode(Kind.extension, forKey: .kind)
      try container.encode(value, forKey: .extension)
    case .redemption(let offer):
      try container.encode(Kind.redemption, forKey: .kind)
      try container.encode(offer, forKey: .redemption)
    case .refundRequest(let request):
      try container.encode(Kind.refundRequest, forKey: .kind)
      try request.encode(to: encoder)
    case .consumption(let id, let information):
      try container.encode(Kind.consumption, forKey: .kind)
      try container.encode(id, forKey: .transactionId)
      try container.encode(information, forKey: .information)
    case .shareable(let lineages, let since):
      try container.encode(Kind.shareable, forKey: .kind)
      try container.encode(lineages, forKey: .lineages)
      try container.encode(since, forKey: .since)
    case .refund(let id):
      try container.encode(Kind.refund, forKey: .kind)
      try container.encode(id, forKey: .transactionId)
    case .deletion(let lineage):
      try container.encode(Kind.deletion, forKey: .kind)
      try container.encode(lineage, forKey: .lineage)
    }
  }
}
