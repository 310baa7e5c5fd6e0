import Foundation
import Shared
import Wire

extension StoreEffect: Codable {
  private enum Kind: String, Codable {
    case open, askToJoin, tellLeft, share, unshare, joinAnswered, itemChanged, itemWithdrawn, entitlement
    case storefrontChanged, memberReset, madeShareable, extendAll, extendedAll, notify
  }

  private enum Key: String, CodingKey {
    case kind, profile, family, item, id, reason, account, refusal, items, change, storefront, productId, order, answer
    case notification
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .open: self = .open(try container.decode(AccountProfile.self, forKey: .profile))
    case .askToJoin: self = .askToJoin(family: try container.decode(String.self, forKey: .family))
    case .tellLeft: self = .tellLeft(family: try container.decode(String.self, forKey: .family))
    case .share: self = .share(try container.decode(SharedItem.self, forKey: .item))
    case .unshare:
      self = .unshare(
        try container.decode(SharedItem.ID.self, forKey: .id), reason: try container.decode(Int.self, forKey: .reason))
    case .joinAnswered:
      self = .joinAnswered(
        account: try container.decode(String.self, forKey: .account),
        refusal: try container.decodeIfPresent(WireError.self, forKey: .refusal),
        items: try container.decode([SharedItem].self, forKey: .items),
        storefront: try container.decodeIfPresent(String.self, forKey: .storefront))
    case .madeShareable: self = .madeShareable(productId: try container.decode(String.self, forKey: .productId))
    case .extendAll: self = .extendAll(try container.decode(ExtendAllSubscriptions.self, forKey: .order))
    case .extendedAll: self = .extendedAll(try container.decode(ExtensionAnswer.self, forKey: .answer))
    case .memberReset: self = .memberReset(account: try container.decode(String.self, forKey: .account))
    case .storefrontChanged:
      self = .storefrontChanged(
        account: try container.decode(String.self, forKey: .account),
        storefront: try container.decodeIfPresent(String.self, forKey: .storefront))
    case .itemChanged: self = .itemChanged(try container.decode(SharedItem.self, forKey: .item))
    case .itemWithdrawn: self = .itemWithdrawn(try container.decode(SharedItem.ID.self, forKey: .id))
    case .notify: self = .notify(try container.decode(StoreNotification.self, forKey: .notification))
    case .entitlement: self = .entitlement(try container.decode(EntitlementChanged.self, forKey: .change))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .open(let profile):
      try container.encode(Kind.open, forKey: .kind)
      try container.encode(profile, forKey: .profile)
    case .extendAll(let order):
      try container.encode(Kind.extendAll, forKey: .kind)
      try container.encode(order, forKey: .order)
    case .extendedAll(let answer):
      try container.encode(Kind.extendedAll, forKey: .kind)
      try container.encode(answer, forKey: .answer)
    case .askToJoin(let family):
      try container.encode(Kind.askToJoin, forKey: .kind)
      try container.encode(family, forKey: .family)
    case .tellLeft(let family):
      try container.encode(Kind.tellLeft, forKey: .kind)
      try container.encode(family, forKey: .family)
    case .share(let item):
      try container.encode(Kind.share, forKey: .kind)
      try container.encode(item, forKey: .item)
    case .unshare(let id, let reason):
      try container.encode(Kind.unshare, forKey: .kind)
      try container.encode(id, forKey: .id)
      try container.encode(reason, forKey: .reason)
    case .joinAnswered(let account, let refusal, let items, let storefront):
      try container.encode(Kind.joinAnswered, forKey: .kind)
      try container.encode(account, forKey: .account)
      try container.encodeIfPresent(refusal, forKey: .refusal)
      try container.encode(items, forKey: .items)
      try container.encodeIfPresent(storefront, forKey: .storefront)
    case .madeShareable(let productId):
      try container.encode(Kind.madeShareable, forKey: .kind)
      try container.encode(productId, forKey: .productId)
    case .memberReset(let account):
      try container.encode(Kind.memberReset, forKey: .kind)
      try container.encode(account, forKey: .account)
    case .storefrontChanged(let account, let storefront):
      try container.encode(Kind.storefrontChanged, forKey: .kind)
      try container.encode(account, forKey: .account)
      try container.encodeIfPresent(storefront, forKey: .storefront)
    case .itemChanged(let item):
      try container.encode(Kind.itemChanged, forKey: .kind)
      try container.encode(item, forKey: .item)
    case .itemWithdrawn(let id):
      try container.encode(Kind.itemWithdrawn, forKey: .kind)
      try container.encode(id, forKey: .id)
    case .notify(let notification):
      try container.encode(Kind.notify, forKey: .kind)
      try container.encode(notification, forKey: .notification)
    case .entitlement(let change):
      try container.encode(Kind.entitlement, forKey: .kind)
      try container.encode(change, forKey: .change)
    }
  }
}

extension TimedEffect {
  /// As the outbox keeps it. What a clock jump makes in great numbers is written directly, in a fraction of the time.
  var json: Data {
    guard case .entitlement(let change) = effect else { return WireJSON.encode(self) }
    var json = JSONObjectWriter(capacity: 512)
    json.put("at", at)
    let write: (inout JSONObjectWriter) -> Void = { inner in
      inner.put("change", object: change.write)
      inner.put("kind", effect.name)
    }
    json.put("effect", object: write)
    return json.finish()
  }
}
