/// Where each id of one kind was first seen, so that a second use can name both places.
struct IDPlaces {
  /// What the ids are, such as `product id`.
  let noun: String
  private var places: [String: (keyPath: String, line: Int)] = [:]

  init(noun: String) { self.noun = noun }

  /// Notes a mistake in `section` if the id was seen before.
  mutating func addUnique(_ id: String, key: String, in section: JSONSection) {
    guard let first = add(id, key: key, in: section) else { return }
    let position = section.member(key)?.position ?? section.position
    section.findings.add(
      CatalogMistake(
        position: position, keyPath: section.path(key),
        found: "the \(noun) \(JSONNode.quoted(id)), which \(first.keyPath) on line \(first.line) has already",
        expected: "every \(noun) once"))
  }

  /// Returns where the id was seen before; nil if this is the first time.
  mutating func add(_ id: String, key: String, in section: JSONSection) -> (keyPath: String, line: Int)? {
    if let first = places[id] { return first }
    places[id] = (section.path(key), (section.member(key)?.position ?? section.position).line)
    return nil
  }
}
