import ClientNode

/// Runs StoreKit calls on a device.
func on<Result>(
  _ daemon: FakeDaemon, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  try await CurrentDevice.$daemon.withValue(daemon, operation: body)
}

extension AsyncSequence where Failure == Never {
  /// All elements of a sequence that ends.
  func collect() async -> [Element] {
    var elements: [Element] = []
    for await element in self { elements.append(element) }
    return elements
  }
}
