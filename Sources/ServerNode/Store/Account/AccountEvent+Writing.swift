package import Foundation
import Shared
import Wire

extension AccountEvent {
  /// As the journal keeps it: the JSON that `Codable` gives, with sorted keys. What a clock jump makes in great numbers
  /// is written directly, in a fraction of the time.
  package var json: Data {
    guard detail == nil, cycles.values.allSatisfy({ $0.coming == nil }) else { return WireJSON.encode(self) }
    var json = JSONObjectWriter(capacity: 1_536)
    if let cause { json.put("cause", object: cause.write) }
    if !cycles.isEmpty {
      json.put("cycles", byId: cycles.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) { $0.write(to: &$1) }
    }
    if !finished.isEmpty { json.putAll("finished", finished) }
    json.put("offerNonce", offerNonce)
    if !records.isEmpty { json.putAll("records", objects: records) { $0.write(to: &$1) } }
    if !renewalInfos.isEmpty { json.putAll("renewalInfos", objects: renewalInfos) { $0.write(to: &$1) } }
    if let source { json.put("source", object: source.write) }
    return json.finish()
  }
}

extension RenewalCycle {
  /// Without `coming`.
  fileprivate func write(to json: inout JSONObjectWriter) {
    json.put("anchor", anchor)
    if let offer { json.put("offer", object: offer.write) }
    json.put("offerPeriodsLeft", offerPeriodsLeft)
    json.put("offerPrice", offerPrice)
    json.put("period", period.description)
    json.put("periods", periods)
    if let priceIncrease { json.put("priceIncrease", object: priceIncrease.write) }
    json.put("renewals", renewals)
    json.put("retryEnds", retryEnds)
  }
}

extension PriceIncrease {
  fileprivate func write(to json: inout JSONObjectWriter) {
    json.put("answer", answer.rawValue)
    json.put("price", price)
    json.put("priceBefore", priceBefore)
    json.put("productId", productId)
  }
}

extension SharedItem.ID {
  fileprivate func write(to json: inout JSONObjectWriter) {
    json.put("account", account)
    json.put("lineage", lineage)
  }
}
