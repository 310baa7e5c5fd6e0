import SwiftUI
import Testing

/// Views beside purchase code: what compiles, and that none of it runs.
@MainActor @Suite struct SwiftUIViewTests {
  private final class Store: ObservableObject { @Published var isPro = false }
  @Observable fileprivate final class Manager { var error: String? }
  private final class Counter { var count = 0 }

  private struct Badge: View {
    var isPro: Bool
    var body: some View { Text(isPro ? "Pro" : "Free") }
  }

  private struct Paywall: View {
    @StateObject private var store = Store()
    @EnvironmentObject private var shared: Store
    @Environment(Manager.self) private var manager
    @Environment(\.dismiss) private var dismiss
    @State private var error: String?
    @Binding var isShown: Bool
    let counter: Counter

    var body: some View {
      Badge(isPro: store.isPro)
      if let error { Text(error) }
      if isShown { Color.red.opacity(0.5) } else { EmptyView() }
      content
        .task { await MainActor.run { counter.count += 1 } }
        .onAppear { counter.count += 1 }
        .onChange(of: store.isPro) { counter.count += 1 }
        .onChange(of: store.isPro) { _, isPro in if isPro { withAnimation { counter.count += 1 } } }
        .onReceive(store.$isPro) { _ in counter.count += 1 }
        .environmentObject(store)
        .environment(Manager())
    }

    @ViewBuilder private var content: some View {
      switch store.isPro {
      case true: Text("thank you")
      case false: Text(verbatim: "buy")
      }
    }
  }

  @Test func aViewCompilesAndNothingOfItRuns() async {
    let counter = Counter()
    let paywall = Paywall(isShown: .constant(true), counter: counter)
    _ = paywall.body
    await Task.yield()
    #expect(counter.count == 0)
  }

  @Test func whatIsShownCanBeCompared() {
    #expect(Badge(isPro: true).body as? Text == Text("Pro"))
    #expect(Color.red != Color.red.opacity(0.5))
  }

  @Test func anObjectThatNobodyHandsDownIsNamed() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = EnvironmentObject<PublishedName>().wrappedValue }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("there is no PublishedName in the environment"), "\(text)")
  }
}

private final class PublishedName: ObservableObject {}
