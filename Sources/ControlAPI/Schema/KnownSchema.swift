import Foundation
import Shared
import Wire

/// A schema that is written by hand, with a sample for the types that contain the value.
struct KnownSchema: Sendable {
  let schema: JSONValue
  let sample: any Sendable
  /// Its name among the components; nil for a schema that stands wherever it is used.
  let component: String?

  static func of(_ type: Any.Type) -> KnownSchema? { all[ObjectIdentifier(type)] }

  private static let all: [ObjectIdentifier: KnownSchema] = {
    var all: [ObjectIdentifier: KnownSchema] = [:]
    func simple<Value: Sendable>(_ sample: Value, _ schema: JSONValue) {
      all[ObjectIdentifier(Value.self)] = KnownSchema(schema: schema, sample: sample, component: nil)
    }
    func component<Value: Sendable>(_ sample: Value, _ schema: JSONValue) {
      let name = SchemaRecorder.name(of: Value.self)
      all[ObjectIdentifier(Value.self)] = KnownSchema(schema: schema, sample: sample, component: name)
    }

    simple(false, ["type": "boolean"])
    simple("", ["type": "string"])
    simple(0.0, ["type": "number"])
    simple(1, integer)
    simple(Int64(1), integer)
    simple(Int32(1), ["type": "integer", "format": "int32"])
    simple(UInt64(1), ["type": "integer", "minimum": 0, "maximum": .integer(.max)])
    simple(UInt32(1), ["type": "integer", "minimum": 0, "maximum": 4_294_967_295])
    simple(UUID(), ["type": "string", "format": "uuid"])
    simple(Data(), bytes)
    simple(PackedArray<LoadPurchase>(), bytes)
    simple(PackedArray<LoadDelivery>(), bytes)
    simple(
      StoreTime(milliseconds: 0),
      ["type": "integer", "format": "int64", "description": "Milliseconds since 1970, on the world's clock."])
    simple(
      TransactionID(1),
      ["type": "string", "pattern": "^[0-9]{1,20}$", "description": "A transaction's id: a number, as a string."])
    simple(
      ActorAddress(world: "world", kind: .account, key: "account"),
      ["type": "string", "pattern": "^[^/]+/[^/]+/[^/]+$", "description": "world/kind/key"])
    if let period = SubscriptionPeriod("P1M") {
      simple(
        period, ["type": "string", "pattern": "^P[0-9]+[DWMY]$", "description": "ISO 8601, one unit: P1M."])
    }
    simple(HabitValue.flag(true), ["type": ["boolean", "integer"]])

    component(
      HabitChange(),
      [
        "type": "object", "description": "A profile to begin with, and single habits by their names.",
        "properties": ["profile": words(Habits.Profile.self)],
        "additionalProperties": ["type": ["boolean", "integer"]],
      ])
    component(
      Habits(),
      [
        "type": "object", "description": "The habits that differ from the documented ones.",
        "additionalProperties": ["type": ["boolean", "integer"]],
      ])
    component(
      Histogram(),
      ["type": "object", "properties": ["maximum": integer, "buckets": bytes], "required": ["maximum", "buckets"]])
    component(
      ClockMode.real, oneOf(kind("real"), kind("manual", ["startsAt": time])))
    component(
      AdvanceClock.Target.nextEvent,
      oneOf(kind("by", ["milliseconds": integer]), kind("to", ["time": time]), kind("nextEvent")))
    component(
      PurchaseOffer.introductoryEligibility(jws: ""),
      oneOf(
        kind(
          "promotional",
          [
            "offerId": string, "keyId": string, "nonce": ["type": "string", "format": "uuid"], "timestamp": integer,
            "signature": bytes,
          ]),
        kind("promotionalJWS", ["offerId": string, "jws": string]), kind("introductoryEligibility", ["jws": string]),
        kind("winBack", ["offerId": string, "priceMilliunits": integer])))
    component(
      SimulatedFailure.offline,
      oneOf(
        kind("networkError", optional: ["code": ["type": ["integer", "null"]]]), kind("systemError"),
        kind("userCancelled"), kind("notAvailableInStorefront"), kind("notEntitled"), kind("unsupported"),
        kind("unknown"), kind("purchase", ["error": words(SimulatedFailure.PurchaseFailure.self)]),
        kind("verification", ["error": words(VerificationFailure.self)]),
        kind("refundRequest", ["error": words(SimulatedFailure.RefundRequestFailure.self)])))
    component(
      Purchase.Reply.Outcome.pending(askToBuy: ""),
      oneOf(
        kind("purchased", ["transactionId": string]), kind("existing", ["transactionId": string]),
        kind("pending", ["askToBuy": string])))
    component(
      CatchUp.Reply.Content.events([]),
      oneOf(
        kind("events", ["events": ["type": "array", "items": ["type": "object"]]]),
        kind("snapshot", ["snapshot": ["type": "object"]])))
    component(
      WantedCopy.Subject.transaction(TransactionID(1)),
      oneOf(kind("transaction", ["transactionId": string]), kind("renewalInfo", ["originalTransactionId": string])))
    component(
      ConsumptionInformation.v2(ConsumptionRequestV2()),
      oneOf(
        kind(
          "v1", ["customerConsented": ["type": "boolean"]],
          optional: [
            "sampleContentProvided": ["type": ["boolean", "null"]], "appAccountToken": ["type": ["string", "null"]],
          ].merging(
            [
              "consumptionStatus", "platform", "deliveryStatus", "accountTenure", "playTime",
              "lifetimeDollarsRefunded", "lifetimeDollarsPurchased", "userStatus", "refundPreference",
            ].map { ($0, ["type": ["integer", "null"]]) }, uniquingKeysWith: { first, _ in first })),
        kind(
          "v2",
          [
            "customerConsented": ["type": "boolean"], "sampleContentProvided": ["type": "boolean"],
            "deliveryStatus": ["type": "string", "enum": strings(ConsumptionRequestV2.deliveryStatuses)],
          ],
          optional: [
            "consumptionPercentage": ["type": ["integer", "null"]], "refundPreference": ["type": ["string", "null"]],
          ])))
    return all
  }()

  private static let integer: JSONValue = ["type": "integer", "format": "int64"]
  private static let string: JSONValue = ["type": "string"]
  private static let bytes: JSONValue = ["type": "string", "contentEncoding": "base64"]
  private static let time: JSONValue = ["type": "integer", "format": "int64"]

  private static func oneOf(_ variants: JSONValue...) -> JSONValue { ["oneOf": .array(variants)] }

  /// An object whose `kind` says which of several things it is.
  private static func kind(
    _ name: String, _ required: [String: JSONValue] = [:], optional: [String: JSONValue] = [:]
  ) -> JSONValue {
    let members = required.merging(["kind": ["const": .string(name)]]) { first, _ in first }
    return [
      "type": "object", "properties": .object(members.merging(optional) { first, _ in first }),
      "required": strings(members.keys.sorted()),
    ]
  }

  private static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> JSONValue {
    ["type": "string", "enum": strings(Word.allCases.map(\.rawValue))]
  }

  private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
