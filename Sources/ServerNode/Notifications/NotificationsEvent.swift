import Foundation
import Shared
import Wire

/// Something that happened to a world's notifications.
enum NotificationsEvent: Hashable, Sendable {
  enum Placement: String, Codable, Hashable, Sendable {
    case send
    /// Waits until its `dueAt`.
    case wait
    /// Held back, to be sent in another order.
    case hold
  }

  /// - Parameters:
  ///   - fault: what happens to it.
  ///   - releases: whether what is held back is sent behind it.
  case noted(OpenNotification, Placement, fault: NotificationFault.Kind?, releases: Bool)
  case signed(number: UInt64, payload: String)
  /// Their wait is over.
  case due([UInt64], at: StoreTime)
  /// - Parameter again: when it is tried again.
  case attempted(number: UInt64, SendAttempt, again: StoreTime?)
  /// What is held back by the one before is sent.
  case faultChanged(NotificationFault?)

  var name: String {
    switch self {
    case .noted: "noted"
    case .signed: "signed"
    case .due: "due"
    case .attempted: "attempted"
    case .faultChanged: "faultChanged"
    }
  }
}

extension NotificationsEvent: Codable {
  private enum Kind: String, Codable {
    case noted, signed, due, attempted, faultChanged
  }

  private enum Key: String, CodingKey {
    case kind, notification, placement, fault, releases, number, payload, numbers, at, attempt, again
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .noted:
      self = .noted(
        try container.decode(OpenNotification.self, forKey: .notification),
        try container.decode(Placement.self, forKey: .placement),
        fault: try container.decodeIfPresent(NotificationFault.Kind.self, forKey: .fault),
        releases: try container.decode(Bool.self, forKey: .releases))
    case .signed:
      self = .signed(
        number: try container.decode(UInt64.self, forKey: .number),
        payload: try container.decode(String.self, forKey: .payload))
    case .due:
      self = .due(
        try container.decode([UInt64].self, forKey: .numbers), at: try container.decode(StoreTime.self, forKey: .at))
    case .attempted:
      self = .attempted(
        number: try container.decode(UInt64.self, forKey: .number),
        try container.decode(SendAttempt.self, forKey: .attempt),
        again: try container.decodeIfPresent(StoreTime.self, forKey: .again))
    case .faultChanged:
      self = .faultChanged(try container.decodeIfPresent(NotificationFault.self, forKey: .fault))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .noted(let notification, let placement, let fault, let releases):
      try container.encode(Kind.noted, forKey: .kind)
      try container.encode(notification, forKey: .notification)
      try container.encode(placement, forKey: .placement)
      try container.encodeIfPresent(fault, forKey: .fault)
      try container.encode(releases, forKey: .releases)
    case .signed(let number, let payload):
      try container.encode(Kind.signed, forKey: .kind)
      try container.encode(number, forKey: .number)
      try container.encode(payload, forKey: .payload)
    case .due(let numbers, let at):
      try container.encode(Kind.due, forKey: .kind)
      try container.encode(numbers, forKey: .numbers)
      try container.encode(at, forKey: .at)
    case .attempted(let number, let attempt, let again):
      try container.encode(Kind.attempted, forKey: .kind)
      try container.encode(number, forKey: .number)
      try container.encode(attempt, forKey: .attempt)
      try container.encodeIfPresent(again, forKey: .again)
    case .faultChanged(let fault):
      try container.encode(Kind.faultChanged, forKey: .kind)
      try container.encodeIfPresent(fault, forKey: .fault)
    }
  }

  /// The payload in the body of a `signed` event.
  static func payload(in body: Data) -> String? {
    guard case .signed(_, let payload)? = try? JSONDecoder().decode(NotificationsEvent.self, from: body) else {
      return nil
    }
    return payload
  }
}
