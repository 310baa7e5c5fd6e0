extension FamilyEvent: Codable {
  private enum Kind: String, Codable {
    case created, seatReserved, seatReleased, memberJoined, memberLeft, itemChanged, itemWithdrawn, sharingChanged
  }

  private enum Key: String, CodingKey {
    case kind, organizer, account, item, id, productId, on
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
    }
  }
}
