/// A line of text, which a test can compare. Apple: https://developer.apple.com/documentation/swiftui/text
public struct Text: View, Hashable, Sendable {
  public typealias Body = Never
  let content: String

  public nonisolated init(_ content: some StringProtocol) { self.content = String(content) }
  public nonisolated init(verbatim content: String) { self.content = content }
}
