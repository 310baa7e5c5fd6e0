import Foundation
import HTTPServer
import Wire

/// Requests over HTTP are those of the wire, and so are their replies.
extension ControlAPI {
  /// How long an answer is waited for when nobody says.
  static let patience = 30
  static let mostPatience = 600

  func perform(_ control: ControlRequest, _ request: HTTPRequest) async -> HTTPResponse {
    do throws(WireError) {
      try authorize(request)
      let address = try control.target.address { request.parameters[$0] }
      let body = try body(of: request)
      return try await ask(
        control, address, body, control.takesAttachments ? attachments(in: body) : [], request)
    } catch {
      return error.response
    }
  }

  func answer(_ question: ControlQuestion, _ request: HTTPRequest) async -> HTTPResponse {
    do throws(WireError) {
      try authorize(request)
      let address = try question.request.target.address { request.parameters[$0] }
      return try await ask(question.request, address, try await question.body(request, node), [], request)
    } catch {
      return error.response
    }
  }

  private func ask(
    _ control: ControlRequest, _ address: ActorAddress, _ body: Data, _ attachments: [Data], _ request: HTTPRequest
  ) async throws(WireError) -> HTTPResponse {
    let patience = try request.number("timeout", in: 1...ControlAPI.mostPatience) ?? ControlAPI.patience
    let id = try ControlAPI.requestID(request)
    if let id { try keys.use(id, control.name, address, body) }
    let answer = try await node.ask(
      control.name, body: body, of: address, id: id ?? RequestID(UUID()), attachments: attachments,
      within: .seconds(patience))
    return .json(control.givesAttachments ? ControlAPI.joined(answer) : answer.body)
  }

  /// The body of a POST: JSON, or nothing for an empty object.
  private func body(of request: HTTPRequest) throws(WireError) -> Data {
    if let type = request.headers["Content-Type"] {
      let name = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
      guard name == "application/json" else {
        throw WireError(.unsupportedMediaType, "the body is '\(type.prefix(80))': expected application/json")
      }
    } else if !request.body.isEmpty {
      throw WireError(.unsupportedMediaType, "the body has no Content-Type: expected application/json")
    }
    return request.body.isEmpty ? Data("{}".utf8) : request.body
  }

  /// The request's id, if it says one: the same again gets the same reply, and is done once.
  private static func requestID(_ request: HTTPRequest) throws(WireError) -> RequestID? {
    guard let text = request.headers["Idempotency-Key"] else { return nil }
    // The header's draft standard has it in quotes.
    let bare = text.count > 1 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text[...]
    guard let uuid = UUID(uuidString: String(bare)) else {
      throw WireError(.badBody, "the Idempotency-Key is '\(text.prefix(60))': expected a UUID")
    }
    return RequestID(uuid)
  }

  // MARK: Attachments

  private struct Attachments: Decodable {
    var attachments: [String]?
  }

  /// Signed data that travels beside the body on the wire is a member of the body here.
  private func attachments(in body: Data) throws(WireError) -> [Data] {
    try WireJSON.decode(Attachments.self, from: body).attachments?.map { Data($0.utf8) } ?? []
  }

  private static func joined(_ answer: Answer<Data>) -> Data {
    let texts = WireJSON.encode(answer.attachments.map { String(decoding: $0, as: UTF8.self) })
    guard answer.body.last == UInt8(ascii: "}") else { return answer.body }
    let head = answer.body.dropLast()
    let comma = head.last == UInt8(ascii: "{") ? "" : ","
    return head + Data("\(comma)\"attachments\":".utf8) + texts + Data("}".utf8)
  }
}
