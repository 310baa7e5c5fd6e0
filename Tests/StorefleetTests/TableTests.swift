import Testing

@testable import storefleet

struct TableTests {
  @Test func columnsLineUpAndNoLineEndsInSpace() {
    var table = Table([.init("Name"), .init("Price", .trailing), .init("Note")])
    table.addRow(["a", "0.99", "new"])
    table.addRow(["longer", "12.00"])
    table.addRow(["", "", "  "])
    #expect(
      table.lines == [
        "Name    Price  Note",
        "------  -----  ----",
        "a        0.99  new",
        "longer  12.00",
        "",
      ])
  }

  @Test func emptyCellsKeepLaterColumnsInPlace() {
    var table = Table([.init("A", .trailing), .init("B"), .init("C", .trailing)])
    table.addRow(["", "", "x"])
    table.addRow(["1", "2", "33"])
    #expect(table.lines == ["A  B   C", "-  -  --", "       x", "1  2  33"])
  }

  @Test(arguments: [
    ("abc", 3), ("写真", 4), ("한글", 4), ("ﾊﾝｶｸ", 4), ("全角！", 6), ("é", 1), ("e\u{301}", 1), ("😀", 2), ("👨‍👩‍👧", 2),
    ("❤️", 2), ("", 0), ("a\u{200B}b", 2),
  ])
  func widthIsTheCellsOfATerminal(text: String, width: Int) {
    #expect(TerminalText(text).width == width)
  }

  @Test func wideTextKeepsTheNextColumnInPlace() {
    var table = Table([.init("Name"), .init("N")])
    table.addRow(["写真アプリ", "1"])
    table.addRow(["photo", "2"])
    #expect(table.lines == ["Name        N", "----------  -", "写真アプリ  1", "photo       2"])
  }

  @Test func controlCharactersCannotSteerTheTerminal() {
    #expect(TerminalText("a\u{1B}[2J\nb\u{202E}c").text == "a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c")
  }

  @Test func widestColumnsAreCutWhereTheTerminalIsNarrow() {
    var table = Table([.init("a"), .init("why"), .init("b")])
    table.addRow(["alice", "premium.yearly: shared by the family 2026-01-01", "日本語の長い名前の商品です、とても"])
    let lines = table.lines(fitting: 50)
    #expect(lines.allSatisfy { TerminalText($0).width <= 50 })
    #expect(lines[2].hasPrefix("alice  premium."))
    #expect(lines[2].filter { $0 == "…" }.count == 2)
    #expect(table.lines(fitting: 200) == table.lines)
    #expect(!table.lines(fitting: 5).isEmpty)
  }
}
