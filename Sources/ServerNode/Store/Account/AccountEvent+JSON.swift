import Foundation
import Shared

// The journal's JSON, which old files keep: an object whose `kind` says which of several things it is, written by hand
// so that it does not follow the names and labels in this code.

extension AccountEvent.Detail: Codable {
  private enum Kind: String, Codable {
    case profile, askToBuy, answered, family, claim
  }

  private enum Key: String, CodingKey {
    case kind, profile, request, askToBuy, family, lineages, appAccountToken
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
    }
  }
}
