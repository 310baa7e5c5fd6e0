/// Does the same for many at once, but not for all: a fleet may have thousands of devices.
package enum Concurrently {
  private static let most = 64

  package static func forEach<Element: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
  ) async throws {
    _ = try await map(elements, body)
  }

  /// The results are in the order of the elements.
  static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Result
  ) async rethrows -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results = [Result?](repeating: nil, count: elements.count)
      for (index, element) in elements.enumerated() {
        if index >= most, let (done, result) = try await group.next() { results[done] = result }
        group.addTask { (index, try await body(element)) }
      }
      for try await (done, result) in group { results[done] = result }
      return results.compactMap(\.self)
    }
  }
}
