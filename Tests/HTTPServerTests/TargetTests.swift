import HTTPServer
import Testing

@Suite struct TargetTests {
  @Test func pathAndQueryAreDecodedInOrder() throws {
    let target = try HTTPTarget("/a%20b/c%2Fd/?status=1&status=2&name=J%C3%B6rg+M&flag&empty=&&=x")
    #expect(target.path == "/a%20b/c%2Fd/")
    #expect(target.segments == ["a b", "c/d", ""])
    #expect(
      target.query == [
        HTTPQueryItem(name: "status", value: "1"), HTTPQueryItem(name: "status", value: "2"),
        HTTPQueryItem(name: "name", value: "Jörg M"), HTTPQueryItem(name: "flag", value: nil),
        HTTPQueryItem(name: "empty", value: ""), HTTPQueryItem(name: "", value: "x"),
      ])
  }

  @Test func plusIsASpaceInQueriesOnly() throws {
    let target = try HTTPTarget("/a+b?c+d=e%2Bf")
    #expect(target.segments == ["a+b"])
    #expect(target.query == [HTTPQueryItem(name: "c d", value: "e+f")])
  }

  @Test(arguments: [
    "", "a", "ftp://host/a", "/%", "/%4", "/%4g", "/%g4", "/%00", "/%ff", "/%C3", "/%ED%A0%80", "/%C0%AF", "/a?%",
    "/a?b=%zz", "/a?b=%00", "http//a",
  ])
  func whatCannotBeReadIsRefused(text: String) {
    #expect(throws: HTTPBadTarget.self) { try HTTPTarget(text) }
  }

  @Test func wholeAddressesAndTheAsteriskAreTargetsToo() throws {
    #expect(try HTTPTarget("http://h:80/a/b?c=d").segments == ["a", "b"])
    #expect(try HTTPTarget("HTTPS://h/a").path == "/a")
    #expect(try HTTPTarget("http://h").segments == [""])
    #expect(try HTTPTarget("http://h?x=1").query.first?.value == "1")
    #expect(try HTTPTarget("*").path == "*")
  }

  @Test func anyBytesGiveATargetOrAnError() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("/?&=%+aF0\u{7f}\u{1}é*".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      _ = try? HTTPTarget(String(decoding: bytes, as: UTF8.self))
    }
  }
}
