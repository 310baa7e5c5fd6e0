import Shared

extension ClockMode: Codable {
  private enum Kind: String, Codable {
    case real, manual
  }

  private enum Key: String, CodingKey {
    case kind, startsAt
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .real: self = .real
    case .manual: self = .manual(startsAt: try container.decode(StoreTime.self, forKey: .startsAt))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .real: try container.encode(Kind.real, forKey: .kind)
    case .manual(let start):
      try container.encode(Kind.manual, forKey: .kind)
      try container.encode(start, forKey: .startsAt)
    }
  }
}

extension AdvanceClock.Target: Codable {
  private enum Kind: String, Codable {
    case by, to, nextEvent
  }

  private enum Key: String, CodingKey {
    case kind, milliseconds, time
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .by: self = .by(milliseconds: try container.decode(Int64.self, forKey: .milliseconds))
    case .to: self = .to(try container.decode(StoreTime.self, forKey: .time))
    case .nextEvent: self = .nextEvent
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .by(let milliseconds):
      try container.encode(Kind.by, forKey: .kind)
      try container.encode(milliseconds, forKey: .milliseconds)
    case .to(let time):
      try container.encode(Kind.to, forKey: .kind)
      try container.encode(time, forKey: .time)
    case .nextEvent: try container.encode(Kind.nextEvent, forKey: .kind)
    }
  }
}
