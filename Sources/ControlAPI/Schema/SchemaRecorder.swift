/// Makes the JSON schemas of message types by decoding them: a decoder that has no JSON notes what a type asks it for,
/// and answers with samples.
///
/// So a new field of a message is in its schema without another word. Types whose decoding depends on what they read
/// (the `kind` of an enum) have schemas by hand, in `KnownSchema`.
package final class SchemaRecorder {
  /// The schemas of the object types so far, by their names.
  package private(set) var components: [String: JSONValue] = [:]
  private var samples: [ObjectIdentifier: Any] = [:]
  /// Types that are being decoded: one that contains itself would never end.
  private var open: Set<ObjectIdentifier> = []

  package init() {}

  /// The schema of a type: in place for simple ones, a reference to a component for objects.
  package func schema<Value: Decodable & Sendable>(of type: Value.Type) throws(SchemaError) -> JSONValue {
    try describe(type).schema
  }

  func describe<Value: Decodable>(_ type: Value.Type) throws(SchemaError) -> (schema: JSONValue, sample: Value) {
    if let known = KnownSchema.of(type), let sample = known.sample as? Value {
      guard let name = known.component else { return (known.schema, sample) }
      components[name] = known.schema
      return (reference(name), sample)
    }
    if let compound = type as? any CompoundSchema.Type {
      let (schema, sample) = try compound.describe(in: self)
      guard let sample = sample as? Value else { throw SchemaError(type, "its sample has another type") }
      return (schema, sample)
    }
    if let (schema, sample) = try enumeration(type) { return (schema, sample) }
    return try decode(type)
  }

  /// An enum with raw values, all of which are known.
  private func enumeration<Value>(_ type: Value.Type) throws(SchemaError) -> (JSONValue, Value)? {
    guard let cases = (type as? any CaseIterable.Type).map({ SchemaRecorder.all($0) }),
      let sample = cases.first as? Value, sample is any RawRepresentable
    else { return nil }
    let raw = cases.compactMap { ($0 as? any RawRepresentable).map { SchemaRecorder.rawValue($0) } }
    let texts = raw.compactMap { $0 as? String }
    if texts.count == cases.count {
      return (["type": "string", "enum": .array(texts.map { .string($0) })], sample)
    }
    let numbers = raw.compactMap { $0 as? Int }
    guard numbers.count == cases.count else { throw SchemaError(type, "its raw values are no strings or integers") }
    return (["type": "integer", "enum": .array(numbers.map { .integer(Int64($0)) })], sample)
  }

  private static func all<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }
  private static func rawValue<Value: RawRepresentable>(_ value: Value) -> Any { value.rawValue }

  private func decode<Value: Decodable>(_ type: Value.Type) throws(SchemaError) -> (JSONValue, Value) {
    let name = SchemaRecorder.name(of: type)
    if let sample = samples[ObjectIdentifier(type)] as? Value { return (reference(name), sample) }
    guard open.insert(ObjectIdentifier(type)).inserted else { throw SchemaError(type, "it contains itself") }
    defer { open.remove(ObjectIdentifier(type)) }
    let decoder = RecordingDecoder(self)
    let sample: Value
    do { sample = try Value(from: decoder) } catch let error as SchemaError { throw error } catch {
      throw SchemaError(type, "it does not decode from samples: \(error)")
    }
    if let single = decoder.single { return (single, sample) }
    components[name] = decoder.object
    samples[ObjectIdentifier(type)] = sample
    return (reference(name), sample)
  }

  private func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/" + name)] }

  /// `Purchase.Reply` for `Wire.Purchase.Reply`.
  static func name(of type: Any.Type) -> String {
    String(String(reflecting: type).drop { $0 != "." }.dropFirst())
  }
}

/// The schema of a type cannot be made.
package struct SchemaError: Error, CustomStringConvertible {
  package let description: String

  init(_ type: Any.Type, _ reason: String) {
    description = "there is no schema of \(String(reflecting: type)): \(reason); give it one in KnownSchema"
  }
}

/// A type made of others.
protocol CompoundSchema {
  static func describe(in recorder: SchemaRecorder) throws(SchemaError) -> (schema: JSONValue, sample: Any)
}

extension Optional: CompoundSchema where Wrapped: Decodable {
  static func describe(in recorder: SchemaRecorder) throws(SchemaError) -> (schema: JSONValue, sample: Any) {
    let (schema, sample) = try recorder.describe(Wrapped.self)
    return (schema.orNull, Wrapped?.some(sample) as Any)
  }
}

extension Array: CompoundSchema where Element: Decodable {
  static func describe(in recorder: SchemaRecorder) throws(SchemaError) -> (schema: JSONValue, sample: Any) {
    let (schema, _) = try recorder.describe(Element.self)
    return (["type": "array", "items": schema], [Element]())
  }
}

extension Set: CompoundSchema where Element: Decodable {
  static func describe(in recorder: SchemaRecorder) throws(SchemaError) -> (schema: JSONValue, sample: Any) {
    let (schema, _) = try recorder.describe(Element.self)
    return (["type": "array", "items": schema], Set<Element>())
  }
}

/// Keys are strings: those of other types would be an array in JSON, but for those that say how they are keys.
extension Dictionary: CompoundSchema where Key: Decodable, Value: Decodable {
  static func describe(in recorder: SchemaRecorder) throws(SchemaError) -> (schema: JSONValue, sample: Any) {
    let (schema, _) = try recorder.describe(Value.self)
    return (["type": "object", "additionalProperties": schema], [Key: Value]())
  }
}

extension JSONValue {
  /// The schema of the same, or null.
  var orNull: JSONValue {
    guard case .string(let type) = self["type"], self["enum"] == nil else {
      return ["anyOf": [self, ["type": "null"]]]
    }
    var schema = self
    schema["type"] = [.string(type), "null"]
    return schema
  }
}
