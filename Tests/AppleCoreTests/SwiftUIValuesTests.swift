import Foundation
import SwiftUI
import Testing

@Suite struct SwiftUIValuesTests {
  private enum Plan: String { case monthly, yearly }

  private struct Settings {
    @AppStorage var isPro: Bool
    @AppStorage var plan: Plan
    @AppStorage var name: String?

    init(_ store: UserDefaults) {
      _isPro = AppStorage(wrappedValue: false, "isPro", store: store)
      _plan = AppStorage(wrappedValue: .monthly, "plan", store: store)
      _name = AppStorage("name", store: store)
    }
  }

  @Test func appStorageIsInTheUserDefaults() throws {
    let store = try #require(UserDefaults(suiteName: UUID().uuidString))
    let settings = Settings(store)
    #expect(!settings.isPro)
    #expect(settings.plan == .monthly)
    #expect(settings.name == nil)
    settings.isPro = true
    settings.plan = .yearly
    settings.name = "alice"
    #expect(store.bool(forKey: "isPro"))
    #expect(Settings(store).plan == .yearly)
    #expect(Settings(store).name == "alice")
    settings.name = nil
    #expect(store.object(forKey: "name") == nil)
  }

  @Test func stateAndBindingShareAValue() {
    let state = State(wrappedValue: [1, 2])
    state.projectedValue.wrappedValue.append(3)
    #expect(state.wrappedValue == [1, 2, 3])
    let binding = Binding(get: { state.wrappedValue }, set: { state.wrappedValue = $0 })
    binding[dynamicMember: \.self].wrappedValue = []
    #expect(state.wrappedValue.isEmpty)
  }

  private final class Model: ObservableObject { @Published var name = "a" }

  @MainActor private struct Screen {
    @StateObject var model = Model()
    @Environment(\.scenePhase) var phase
  }

  @MainActor @Test func anObjectIsMadeOnce() {
    let screen = Screen()
    #expect(screen.model === screen.model)
    screen.$model.name.wrappedValue = "b"
    #expect(screen.model.name == "b")
    #expect(screen.phase == .active)
    #expect(withAnimation(.easeInOut) { 3 } == 3)
  }
}
