/// A color by its name. Apple: https://developer.apple.com/documentation/swiftui/color
public struct Color: View, Hashable, Sendable {
  public typealias Body = Never
  private let name: String
  private var opacity = 1.0

  /// A color of an asset catalogue.
  public nonisolated init(_ name: String) { self.name = name }

  public nonisolated init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    name = "\(red) \(green) \(blue)"
    self.opacity = opacity
  }

  public nonisolated func opacity(_ opacity: Double) -> Color {
    var color = self
    color.opacity *= opacity
    return color
  }

  public static nonisolated let accentColor = Color("accentColor")
  public static nonisolated let black = Color("black")
  public static nonisolated let blue = Color("blue")
  public static nonisolated let brown = Color("brown")
  public static nonisolated let clear = Color("clear")
  public static nonisolated let cyan = Color("cyan")
  public static nonisolated let gray = Color("gray")
  public static nonisolated let green = Color("green")
  public static nonisolated let indigo = Color("indigo")
  public static nonisolated let mint = Color("mint")
  public static nonisolated let orange = Color("orange")
  public static nonisolated let pink = Color("pink")
  public static nonisolated let primary = Color("primary")
  public static nonisolated let purple = Color("purple")
  public static nonisolated let red = Color("red")
  public static nonisolated let secondary = Color("secondary")
  public static nonisolated let teal = Color("teal")
  public static nonisolated let white = Color("white")
  public static nonisolated let yellow = Color("yellow")
}
