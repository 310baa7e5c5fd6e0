/// Makes a view of the views that a closure or property names.
///
/// Apple: https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
    ConditionalContent()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
    ConditionalContent()
  }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content { content }
}

/// One of two views, of which neither is kept.
public struct ConditionalContent<First: View, Second: View>: View {
  public typealias Body = Never
  nonisolated init() {}
}
