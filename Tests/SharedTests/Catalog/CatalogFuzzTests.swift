import Foundation
import Shared
import Testing

/// Thousands of damaged copies of the demo file: each is refused with a list of mistakes, or is a whole catalogue.
struct CatalogFuzzTests {
  private static let seeds: ClosedRange<UInt64> = 1...4

  @Test(arguments: seeds)
  func changedValuesGiveAWholeCatalogueOrAnError(seed: UInt64) throws {
    var damage = Damage(seed: seed)
    let original = try JSONSerialization.jsonObject(with: Data(contentsOf: CatalogFixtures.demoFile))
    var loaded = 0
    var refused = 0
    for round in 0..<400 {
      var value = original
      for _ in 0...Int.random(in: 0...2, using: &damage.random) { value = damage.changed(value) }
      let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
      if check(data, "seed \(seed), round \(round)") { loaded += 1 } else { refused += 1 }
    }
    #expect(loaded > 0 && refused > 0, "seed \(seed): the damage is all of one kind")
  }

  @Test(arguments: seeds)
  func changedBytesGiveAWholeCatalogueOrAnError(seed: UInt64) throws {
    var damage = Damage(seed: seed)
    let original = [UInt8](try Data(contentsOf: CatalogFixtures.demoFile))
    for round in 0..<150 {
      var bytes = original
      for _ in 0...Int.random(in: 0...3, using: &damage.random) { damage.change(&bytes) }
      _ = check(Data(bytes), "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: seeds)
  func changedEncodingGivesAWholeCatalogueOrAnError(seed: UInt64) throws {
    var damage = Damage(seed: seed)
    let encoded = try JSONEncoder().encode(Catalog.load(contentsOf: CatalogFixtures.demoFile))
    let original = try JSONSerialization.jsonObject(with: encoded)
    for round in 0..<200 {
      let data = try JSONSerialization.data(withJSONObject: damage.changed(original), options: [.fragmentsAllowed])
      guard let catalog = try? JSONDecoder().decode(Catalog.self, from: data) else { continue }
      #expect(CatalogInvariants.broken(catalog) == [], "seed \(seed), round \(round)")
    }
  }

  /// Whether the data is a catalogue.
  private func check(_ data: Data, _ name: String) -> Bool {
    do {
      let catalog = try Catalog(data: data, file: "Fuzz.storekit")
      #expect(CatalogInvariants.broken(catalog) == [], "\(name)")
      return true
    } catch {
      #expect(!error.mistakes.isEmpty, "\(name)")
      for mistake in error.mistakes {
        #expect(!mistake.found.isEmpty && !mistake.expected.isEmpty, "\(name)")
      }
      return false
    }
  }
}

/// Repeatable damage to JSON values and to bytes.
private struct Damage {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  /// A copy of the value in which one random place is deleted, replaced or doubled.
  mutating func changed(_ value: Any) -> Any {
    switch value {
    case var object as [String: Any]:
      guard let key = object.keys.sorted().randomElement(using: &random) else { return replacement() }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: object[key] = nil
      case 1: object[key] = replacement()
      default: object[key] = object[key].map { changed($0) }
      }
      return object
    case var array as [Any]:
      guard let index = array.indices.randomElement(using: &random) else { return [replacement()] }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: array.remove(at: index)
      case 1: array.append(array[index])
      case 2: array[index] = replacement()
      default: array[index] = changed(array[index])
      }
      return array
    default: return replacement()
    }
  }

  private mutating func replacement() -> Any {
    let values: [Any] = [
      NSNull(), true, 0, 1, -1, 2, 0.5, 1e300, Int.max, "", "0.99", "0,99", "P1M", "P0M", "free", "payUpFront",
      "com.example.app.coins", "5E1F00D1", "spring", "Consumable", "RecurringSubscription", "\u{0}", [Any](),
      [String: Any](), [[1]], ["a": ["b": 1]], String(repeating: "9", count: 400),
    ]
    return values[Int.random(in: values.indices, using: &random)]
  }

  mutating func change(_ bytes: inout [UInt8]) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.insert(contentsOf: Array("{}[]\",:\\/'-+.e0".utf8).shuffled(using: &random).prefix(2), at: index)
    case 3: bytes.removeSubrange(index...)
    default: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
    }
  }
}

/// A generator that gives the same numbers for the same seed on every machine.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
