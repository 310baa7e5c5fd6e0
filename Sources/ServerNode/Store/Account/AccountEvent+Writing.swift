package import Foundation
import Shared
import Wire

extension AccountEvent {
  /// As the journal keeps it: the JSON that `Codable` gives, with sorted keys. What a clock jump makes in great numbers
  /// is written directly, in a fraction of the time.
  package var json: Data { written.body }

  var written: WrittenAccountEvent {
    guard detail == nil, cycles.values.allSatisfy({ $0.coming == nil }) else {
      return WrittenAccountEvent(body: WireJSON.encode(self))
    }
    var json = JSONObjectWriter(capacity: 1_536)
    if let cause { json.put("cause", object: cause.write) }
    if !cycles.isEmpty { json.put("cycles", object: writeCycles) }
    if !finished.isEmpty { json.putAll("finished", finished) }
    json.put("offerNonce", offerNonce)
    var ranges: (records: Range<Int>?, infos: Range<Int>?)
    if !records.isEmpty {
      json.put(
        "records",
        list: { list in
          let start = list.position
          for record in records { list.add(object: { record.write(to: &$0) }) }
          ranges.records = start..<list.position
        })
    }
    if !renewalInfos.isEmpty {
      json.put(
        "renewalInfos",
        list: { list in
          let start = list.position
          for info in renewalInfos { list.add(object: { info.write(to: &$0) }) }
          ranges.infos = start..<list.position
        })
    }
    if let source { json.put("source", object: source.write) }
    let body = json.finish()
    // The lists go from bracket to bracket.
    return WrittenAccountEvent(
      body: body, records: ranges.records.map { body[($0.lowerBound - 1)...$0.upperBound] },
      renewalInfos: ranges.infos.map { body[($0.lowerBound - 1)...$0.upperBound] })
  }

  private func writeCycles(to json: inout JSONObjectWriter) {
    if cycles.count == 1 {
      for (id, cycle) in cycles { json.put(id, object: { cycle.write(to: &$0) }) }
    } else {
      for (id, cycle) in cycles.sorted(by: { $0.key < $1.key }) { json.put(id, object: { cycle.write(to: &$0) }) }
    }
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
