/// Notes what a type decodes: the properties of an object, or one value.
final class RecordingDecoder: Decoder {
  let recorder: SchemaRecorder
  fileprivate var properties: [String: JSONValue] = [:]
  fileprivate var optional: Set<String> = []
  fileprivate(set) var single: JSONValue?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ recorder: SchemaRecorder) { self.recorder = recorder }

  /// The schema of the object that was asked for.
  var object: JSONValue {
    var schema: JSONValue = ["type": "object", "properties": .object(properties)]
    let required = Set(properties.keys).subtracting(optional).sorted()
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    return schema
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordingKeyedContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported }
  func singleValueContainer() -> any SingleValueDecodingContainer { RecordingValueContainer(decoder: self) }

  fileprivate var unsupported: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "what it decodes here is not recorded"))
  }
}

private struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RecordingDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  /// Asked before `decodeIfPresent` reads: what may be missing.
  func contains(_ key: Key) -> Bool {
    decoder.optional.insert(key.stringValue)
    return true
  }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let (schema, sample) = try decoder.recorder.describe(type)
    decoder.properties[key.stringValue] = decoder.optional.contains(key.stringValue) ? schema.orNull : schema
    return sample
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw decoder.unsupported }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.unsupported }
  func superDecoder() throws -> any Decoder { throw decoder.unsupported }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unsupported }
}

private struct RecordingValueContainer: SingleValueDecodingContainer {
  let decoder: RecordingDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (schema, sample) = try decoder.recorder.describe(type)
    decoder.single = schema
    return sample
  }
}
