import Foundation
import Shared

extension PurchaseOffer: Codable {
  private enum Kind: String, Codable {
    case promotional, promotionalJWS, introductoryEligibility, winBack
  }

  private enum Key: String, CodingKey {
    case kind, offerId, jws, priceMilliunits
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .promotional: self = .promotional(try PromotionalOfferSignature(from: decoder))
    case .promotionalJWS:
      self = .promotionalJWS(
        offerId: try container.decode(String.self, forKey: .offerId),
        jws: try container.decode(String.self, forKey: .jws))
    case .introductoryEligibility:
      self = .introductoryEligibility(jws: try container.decode(String.self, forKey: .jws))
    case .winBack:
      self = .winBack(
        offerId: try container.decode(String.self, forKey: .offerId),
        priceMilliunits: try container.decode(Int64.self, forKey: .priceMilliunits))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .promotional(let signature):
      try container.encode(Kind.promotional, forKey: .kind)
      try signature.encode(to: encoder)
    case .promotionalJWS(let offerId, let jws):
      try container.encode(Kind.promotionalJWS, forKey: .kind)
      try container.encode(offerId, forKey: .offerId)
      try container.encode(jws, forKey: .jws)
    case .introductoryEligibility(let jws):
      try container.encode(Kind.introductoryEligibility, forKey: .kind)
      try container.encode(jws, forKey: .jws)
    case .winBack(let offerId, let price):
      try container.encode(Kind.winBack, forKey: .kind)
      try container.encode(offerId, forKey: .offerId)
      try container.encode(price, forKey: .priceMilliunits)
    }
  }
}
