import Foundation
import HTTPServer
import Testing

@Suite struct HeadersTests {
  @Test func namesHaveNoCaseAndValuesKeepTheirOrder() {
    var headers: HTTPHeaders = ["Accept": "a"]
    headers.add("ACCEPT", "b")
    headers.add("X-Other", "c")
    #expect(headers["accept"] == "a")
    #expect(headers.values(of: "aCCept") == ["a", "b"])
    headers["accept"] = "d"
    #expect(headers.values(of: "Accept") == ["d"])
    headers["Accept"] = nil
    #expect(headers["accept"] == nil && headers["x-other"] == "c")
    #expect(headers["x-othe"] == nil && headers["x-other2"] == nil && headers["x@other"] == nil)
  }

  @Test func valuesAreNotPrinted() {
    let headers: HTTPHeaders = ["Authorization": "Bearer secret"]
    #expect("\(headers)" == "Authorization")
  }

  @Test(arguments: [
    ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER   abc", "abc"), ("Bearer ", nil), ("Basic abc", nil),
    ("Bearer", nil), ("", nil), ("Bearerabc", nil),
  ])
  func bearerTokenIsRead(header: String, token: String?) throws {
    let request = try HTTPRequest(.get, "/", headers: ["authorization": header])
    #expect(request.bearerToken.map(String.init) == token)
  }

  @Test func eventsKeepTheirLines() {
    let event = ServerSentEvent(id: "7\n8", event: "chan\rge", data: "a\nb\r\nc\r")
    let text = String(decoding: event.encoded, as: UTF8.self)
    #expect(text == "id: 78\nevent: change\ndata: a\ndata: b\ndata: c\ndata: \n\n")
  }
}
