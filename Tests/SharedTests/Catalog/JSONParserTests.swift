import Testing

@testable import Shared

struct JSONParserTests {
  private func error(_ text: String) -> JSONSyntaxError? {
    do {
      _ = try JSONParser.parse(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("", 1, 1), ("  \n ", 2, 2), ("{\"a\": 1,\r\n  \"b\" 2}", 2, 7), ("[1, 2\n3]", 2, 1), ("[1]]", 1, 4),
    ("{\"é\": ]", 1, 7), ("\u{FEFF}{,}", 1, 2), ("[tru]", 1, 2), ("[01]", 1, 2), ("[1.2.3]", 1, 2), ("[-]", 1, 2),
    ("[1e]", 1, 2), ("[0x10]", 1, 2), ("[\"abc", 1, 2), ("[\"a\nb\"]", 1, 4), ("[\"\\q\"]", 1, 3),
    ("[\"\\ud800\"]", 1, 3), ("[\"\\u12\"]", 1, 3), ("/* x", 1, 1), ("[/]", 1, 2), ("{\"a\":1,\n\"a\":2}", 2, 1),
    ("{1: 2}", 1, 2), ("\r\r[", 3, 2), ("[1]\0", 1, 4),
  ])
  func syntaxErrorsSayWhere(text: String, line: Int, column: Int) {
    #expect(error(text)?.position == SourcePosition(line: line, column: column), "\(text.debugDescription)")
  }

  @Test func acceptsWhatPeopleWriteByHand() throws {
    let node = try JSONParser.parse(
      Array("// shop\n{ a: [1, +2, .5,], 'b': \"x\\\ny\\u00e9\\ud83d\\ude00\", /* no */ $c_1: null, }".utf8))
    guard case .object(let members) = node.value else {
      Issue.record("not an object")
      return
    }
    #expect(members.keys.sorted() == ["$c_1", "a", "b"])
    #expect(members["b"]?.text == "xyé😀")
    #expect(members["$c_1"]?.isNull == true)
    guard case .array(let numbers)? = members["a"]?.value else {
      Issue.record("not an array")
      return
    }
    #expect(numbers.map(\.summary) == ["1", "+2", ".5"])
  }

  @Test func deepNestingIsRefusedBeforeTheStackEnds() {
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(error(deep)?.found == "a value nested too deeply")
    let fine = String(repeating: "[", count: 99) + "1" + String(repeating: "]", count: 99)
    #expect(error(fine) == nil)
  }
}
