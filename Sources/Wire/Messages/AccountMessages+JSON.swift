import Shared

// What is one of several things is written as an object whose `kind` says which: docs/protocol/03-messages.md. The JSON
// that the compiler would make for such an enum depends on the names and labels in this code.

extension Purchase.Reply.Outcome: Codable {
  private enum Kind: String, Codable {
    case purchased, existing, pending
  }

  private enum Key: String, CodingKey {
    case kind, transactionId, askToBuy
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .purchased: self = .purchased(try container.decode(TransactionID.self, forKey: .transactionId))
    case .existing: self = .existing(try container.decode(TransactionID.self, forKey: .transactionId))
    case .pending: self = .pending(askToBuy: try container.decode(String.self, forKey: .askToBuy))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .purchased(let id):
      try container.encode(Kind.purchased, forKey: .kind)
      try container.encode(id, forKey: .transactionId)
    case .existing(let id):
      try container.encode(Kind.existing, forKey: .kind)
      try container.encode(id, forKey: .transactionId)
    case .pending(let askToBuy):
      try container.encode(Kind.pending, forKey: .kind)
      try container.encode(askToBuy, forKey: .askToBuy)
    }
  }
}

extension CatchUp.Reply.Content: Codable {
  private enum Kind: String, Codable {
    case events, snapshot
  }

  private enum Key: String, CodingKey {
    case kind, events, snapshot
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .events: self = .events(try container.decode([AccountUpdate].self, forKey: .events))
    case .snapshot: self = .snapshot(try container.decode(TransactionHistory.self, forKey: .snapshot))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .events(let events):
      try container.encode(Kind.events, forKey: .kind)
      try container.encode(events, forKey: .events)
    case .snapshot(let history):
      try container.encode(Kind.snapshot, forKey: .kind)
      try container.encode(history, forKey: .snapshot)
    }
  }
}

extension WantedCopy.Subject: Codable {
  private enum Kind: String, Codable {
    case transaction, renewalInfo
  }

  private enum Key: String, CodingKey {
    case kind, transactionId, originalTransactionId
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .transaction: self = .transaction(try container.decode(TransactionID.self, forKey: .transactionId))
    case .renewalInfo: self = .renewalInfo(try container.decode(TransactionID.self, forKey: .originalTransactionId))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .transaction(let id):
      try container.encode(Kind.transaction, forKey: .kind)
      try container.encode(id, forKey: .transactionId)
    case .renewalInfo(let lineage):
      try container.encode(Kind.renewalInfo, forKey: .kind)
      try container.encode(lineage, forKey: .originalTransactionId)
    }
  }
}
