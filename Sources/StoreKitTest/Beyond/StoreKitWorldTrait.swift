import ClientNode
public import Testing

/// Gives each test a store and a device of its own, so that tests of one process can run in parallel. Beyond Apple.
///
/// Sessions that are made in the test, and StoreKit calls in it and in the tasks that it starts, detached ones too, are
/// of that store. It is gone when the test is over.
public struct StoreKitWorldTrait: TestTrait, SuiteTrait, TestScoping {
  let configurationFile: String?

  /// A suite hands it on to its tests.
  public var isRecursive: Bool { true }

  /// Tests get the store; a suite itself, around them, needs none.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> StoreKitWorldTrait? {
    testCase == nil ? nil : self
  }

  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let configuration = try configurationFile.map {
      try StoreKitConfiguration(contentsOf: try ConfigurationSearch(name: $0).find())
    }
    let world = try TestWorld(configuration ?? .empty)
    do {
      try await TestWorld.$scoped.withValue(world) {
        try await CurrentDevice.$daemon.withValue(world.own?.daemon) { try await function() }
      }
    } catch {
      await world.close()
      throw error
    }
    await world.close()
  }
}

extension Trait where Self == StoreKitWorldTrait {
  /// A store of the test's own, which sells nothing until a session is made.
  public static var storeKitWorld: StoreKitWorldTrait { StoreKitWorldTrait(configurationFile: nil) }

  /// A store of the test's own with the products of this file, for tests that need no session.
  public static func storeKitWorld(configurationFileNamed filename: String) -> StoreKitWorldTrait {
    StoreKitWorldTrait(configurationFile: filename)
  }
}
