import Synchronization
import Testing

@testable import storefleet

struct ProgressTests {
  private final class Screen: Sendable {
    private let text = Mutex("")
    func write(_ more: String) { text.withLock { $0 += more } }
    var content: String { text.withLock { $0 } }
  }

  @Test func pipeGetsAPlainLineForEachTenthAndAtTheEnd() {
    let screen = Screen()
    let progress = Progress("launching devices", total: 1_000, isTerminal: false) { screen.write($0) }
    for _ in 0..<1_000 { progress.advance() }
    progress.finish()
    let lines = screen.content.split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines.first?.hasPrefix("launching devices  1/1000  0%") == true)
    #expect(lines.last?.hasPrefix("launching devices  1000/1000  100%") == true)
    #expect(!screen.content.contains("\u{1B}") && !screen.content.contains("\r"))
  }

  @Test func terminalGetsOneLineThatRedrawsItself() {
    let screen = Screen()
    let progress = Progress("launching devices", total: 1_000, isTerminal: true) { screen.write($0) }
    for count in 1...1_000 { progress.advance(to: count) }
    progress.finish()
    progress.advance()
    progress.finish()
    #expect(screen.content.hasPrefix("\r\u{1B}[Klaunching devices  ░"))
    #expect(screen.content.filter { $0 == "\n" }.count == 1)
    #expect(screen.content.hasSuffix("\n"))
    // The loop takes far less time than it takes to draw a hundred times.
    #expect(screen.content.filter { $0 == "\r" }.count < 100)
  }

  @Test(arguments: [(0, 0), (1, 33), (2, 66), (3, 100), (4, 100), (-1, 0)])
  func percentStaysWithinItsBounds(done: Int, percent: Int) {
    #expect(ProgressLine(label: "", total: 3).percent(done: done) == percent)
  }

  @Test func nothingToDoIsDone() {
    #expect(ProgressLine(label: "work", total: 0).text(done: 0, elapsed: .zero, bar: false) == "work  0/0  100%  0.0 s")
  }

  @Test func barFillsUp() {
    let line = ProgressLine(label: "work", total: 2)
    #expect(
      line.text(done: 1, elapsed: .milliseconds(61_449), bar: true)
        == "work  ████████████░░░░░░░░░░░░  1/2  50%  61.4 s")
  }
}
