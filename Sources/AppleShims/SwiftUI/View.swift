public import AppleCore
public import Observation

/// A part of a screen. It compiles here so that a file with purchase code may keep its views; nothing is drawn, nobody asks
/// for a body, and what modifiers are given does not run.
///
/// Apple: https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
  public var body: Never { fatalError("a view of type \(Self.self) has no body") }
}

extension Never: View {
  public typealias Body = Never
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

/// Shows nothing, here as at Apple.
public struct EmptyView: View, Sendable {
  public typealias Body = Never
  public nonisolated init() {}
}

/// Several views, of which none is kept.
public struct TupleView<Content>: View {
  public typealias Body = Never
  nonisolated init() {}
}

// MARK: Modifiers

extension View {
  /// A task that lasts as long as the view is shown. Nothing is shown, so it never begins: what is to run without a screen
  /// belongs into the app's initializer.
  public nonisolated func task(
    priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void
  ) -> Self { self }

  public nonisolated func task<ID: Equatable>(
    id: ID, priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void
  ) -> Self { self }

  public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> Self { self }
  public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> Self { self }

  public nonisolated func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> Self { self }

  public nonisolated func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping () -> Void
  ) -> Self { self }

  public nonisolated func onReceive<Values: Publisher>(
    _ values: Values, perform action: @escaping (Values.Output) -> Void
  ) -> Self where Values.Failure == Never { self }

  public nonisolated func environmentObject(_ object: some ObservableObject) -> Self { self }
  public nonisolated func environment<Object: AnyObject & Observable>(_ object: Object?) -> Self { self }
  public nonisolated func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> Self { self }
}
