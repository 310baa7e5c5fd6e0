import Foundation
import Wire

/// A message that a simulated network is carrying.
enum Parcel: Sendable {
  /// On its way to the store.
  case request([Data], OutgoingRequest.Purpose?)
  /// On its way to this node.
  case reply(ReplyFrames, OutgoingRequest.Purpose?)
  /// On its way to this node.
  case event([Data])
  /// On its way to one phone.
  case update(AccountUpdate, epoch: UInt64, device: String)

  /// The phone whose connection it uses.
  var device: String? {
    switch self {
    case .request(_, let purpose), .reply(_, let purpose): purpose?.device
    case .update(_, _, let device): device
    case .event: nil
    }
  }

  /// Whether it is an event for a phone, which need not ask for what is on its way.
  var isUpdate: Bool { if case .update = self { true } else { false } }
}
