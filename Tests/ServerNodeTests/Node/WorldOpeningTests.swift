import Foundation
import ServerNode
import Shared
import Testing
import Wire

@Suite struct WorldOpeningTests {
  private func create(_ store: StoreHarness, _ id: RequestID = RequestID(UUID())) throws -> WorldDescription {
    let request = CreateWorld(
      catalog: try StoreHarness.demoCatalog(), clock: .manual(startsAt: StoreHarness.start))
    return try store.ask(request, of: store.worldAddress, id: id)
  }

  @Test func worldThatIsMadeAgainIsTheSameAndOtherSettingsAreRefused() throws {
    let store = try StoreHarness(creates: false)
    let id = RequestID(UUID())
    let first = try create(store, id)
    #expect(try create(store, id) == first)
    try store.restart()
    #expect(try create(store) == first)
    let other = CreateWorld(catalog: try StoreHarness.demoCatalog(), bundleId: "com.example.other")
    let error = #expect(throws: WireError.self) { try store.ask(other, of: store.worldAddress) }
    #expect(error?.refusal == .alreadyExists)
  }

  @Test func worldWithABadCatalogueIsNotMade() throws {
    let store = try StoreHarness(creates: false)
    let error = #expect(throws: WireError.self) { try store.ask(CreateWorld(catalog: "{"), of: store.worldAddress) }
    #expect(error?.code == .badBody)
    #expect(throws: WireError.self) { try store.open("alice") }
  }

  @Test func nobodyWaitsForAnAuthorityThatDoesNotOpen() throws {
    let store = try StoreHarness(creates: false)
    store.failsAuthority = ServerNodeError("the folder is read-only")
    let error = #expect(throws: WireError.self) { try create(store) }
    #expect(error?.isRetriable == true)
    #expect(error?.message.contains("read-only") == true)
    try store.open("alice")
    for _ in 0..<3 {
      let error = #expect(throws: WireError.self) { try store.buy("lifetime", by: "alice") }
      #expect(error?.code == .unavailable)
    }
    #expect(throws: WireError.self) { try store.advance(days: 1) }
    #expect(store.logged.filter { $0.contains("read-only") }.count == 1)
    store.failsAuthority = nil
    _ = try create(store)
    store.wait(milliseconds: 2_000)
    try store.buy("lifetime", by: "alice")
    #expect(try store.entitled("alice") == ["lifetime"])
  }

  @Test func worldWithTimersComesBackByItselfOnceItsAuthorityOpens() throws {
    let store = try StoreHarness(clock: .real, timeRate: .monthlyRenewalEveryThirtySeconds)
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    store.failsAuthority = ServerNodeError("gone")
    try store.restart()
    store.wait(milliseconds: 15_000)
    #expect(try store.events(of: "alice").count == 2)
    store.failsAuthority = nil
    store.wait(milliseconds: 2_000)
    #expect(try store.events(of: "alice") == ["opened", "purchased", "renewed"])
  }
}
