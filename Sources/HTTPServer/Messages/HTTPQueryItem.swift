/// One `name=value` of a query, decoded. A name without `=` has no value.
package struct HTTPQueryItem: Hashable, Sendable {
  package var name: String
  package var value: String?

  package init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}
