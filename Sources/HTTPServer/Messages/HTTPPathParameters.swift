/// The decoded parts of a path that a route's template gives names to.
package struct HTTPPathParameters: Sendable {
  private var names: [String] = []
  private var values: [String] = []

  package init() {}

  init(names: [String], values: [String]) {
    self.names = names
    self.values = values
  }

  /// The part of the path at `{name}`; nil if the template has no such name.
  package subscript(name: String) -> String? {
    names.firstIndex(of: name).map { values[$0] }
  }
}
