import Shared

extension FamilyEvent: Codable {
  private enum Kind: String, Codable {
    case created, seatReserved, seatReleased, memberJoined, memberLeft, itemChanged, itemWithdrawn, sharingChanged
    case storefrontChanged, grantScheduled, grantDue, appHidden, purchaseSharingChanged, ended
  }

  private enum Key: String, CodingKey {
    case kind, organizer, account, item, id, productId, on, storefront, at, hidden
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func account() throws -> String { try container.decode(String.self, forKey: .account) }
    switch try container.decode(Kind.self, forKey: .kind) {
    case .created: self = .created(organizer: try container.decode(String.self, forKey: .organizer))
    case .seatReserved: self = .seatReserved(account: try account())
    case .seatReleased: self = .seatReleased(account: try account())
    case .memberJoined: self = .memberJoined(account: try account())
    case .memberLeft: self = .memberLeft(account: try account())
    case .itemChanged: self = .itemChanged(try container.decode(SharedItem.self, forKey: .item))
    case .itemWithdrawn: self = .itemWithdrawn(try container.decode(SharedItem.ID.self, forKey: .id))
    case .sharingChanged:
      self = .sharingChanged(
        account: try account(), productId: try container.decode(String.self, forKey: .productId),
        on: try container.decode(Bool.self, forKey: .on))
    case .storefrontChanged:
      self = .storefrontChanged(
        account: try account(), storefront: try container.decodeIfPresent(String.self, forKey: .storefront))
    case .grantScheduled:
      self = .grantScheduled(
        try container.decode(SharedItem.ID.self, forKey: .id), at: try container.decode(StoreTime.self, forKey: .at))
    case .grantDue: self = .grantDue(try container.decode(SharedItem.ID.self, forKey: .id))
    case .appHidden:
      self = .appHidden(account: try account(), hidden: try container.decode(Bool.self, forKey: .hidden))
    case .purchaseSharingChanged:
      self = .purchaseSharingChanged(on: try container.decode(Bool.self, forKey: .on))
    case .ended: self = .ended
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func encode(_ kind: Kind, _ account: String) throws {
      try container.encode(kind, forKey: .kind)
      try container.encode(account, forKey: .account)
    }
    switch self {
    case .created(let organizer):
      try container.encode(Kind.created, forKey: .kind)
      try container.encode(organizer, forKey: .organizer)
    case .seatReserved(let account): try encode(.seatReserved, account)
    case .seatReleased(let account): try encode(.seatReleased, account)
    case .memberJoined(let account): try encode(.memberJoined, account)
    case .memberLeft(let account): try encode(.memberLeft, account)
    case .itemChanged(let item):
      try container.encode(Kind.itemChanged, forKey: .kind)
      try container.encode(item, forKey: .item)
    case .itemWithdrawn(let id):
      try container.encode(Kind.itemWithdrawn, forKey: .kind)
      try container.encode(id, forKey: .id)
    case .sharingChanged(let account, let productId, let on):
      try encode(.sharingChanged, account)
      try container.encode(productId, forKey: .productId)
      try container.encode(on, forKey: .on)
    case .storefrontChanged(let account, let storefront):
      try encode(.storefrontChanged, account)
      try container.encodeIfPresent(storefront, forKey: .storefront)
    case .grantScheduled(let id, let time):
      try container.encode(Kind.grantScheduled, forKey: .kind)
      try container.encode(id, forKey: .id)
      try container.encode(time, forKey: .at)
    case .grantDue(let id):
      try container.encode(Kind.grantDue, forKey: .kind)
      try container.encode(id, forKey: .id)
    case .appHidden(let account, let isHidden):
      try encode(.appHidden, account)
      try container.encode(isHidden, forKey: .hidden)
    case .purchaseSharingChanged(let on):
      try container.encode(Kind.purchaseSharingChanged, forKey: .kind)
      try container.encode(on, forKey: .on)
    case .ended: try container.encode(Kind.ended, forKey: .kind)
    }
  }
}
