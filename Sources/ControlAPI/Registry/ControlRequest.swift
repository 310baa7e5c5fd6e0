import Wire

/// A request of the wire that the control API takes, at one kind of target.
package struct ControlRequest: Sendable {
  package let name: String
  package let target: ControlTarget
  /// One sentence.
  let summary: String
  /// Whether signed data may travel beside the body.
  let takesAttachments: Bool
  let givesAttachments: Bool
  let requestSchema: @Sendable (SchemaRecorder) throws(SchemaError) -> JSONValue
  let replySchema: @Sendable (SchemaRecorder) throws(SchemaError) -> JSONValue

  init<Message: Request>(
    _ message: Message.Type, to target: ControlTarget, _ summary: String, takesAttachments: Bool = false,
    givesAttachments: Bool = false
  ) {
    self.init(
      message, to: target, reply: Message.Reply.self, summary, takesAttachments: takesAttachments,
      givesAttachments: givesAttachments)
  }

  /// - Parameter reply: What this target answers, where that is more than the request says.
  init<Message: Request, Reply: Codable & Sendable>(
    _ message: Message.Type, to target: ControlTarget, reply: Reply.Type, _ summary: String,
    takesAttachments: Bool = false, givesAttachments: Bool = false
  ) {
    name = Message.name
    self.target = target
    self.summary = summary
    self.takesAttachments = takesAttachments
    self.givesAttachments = givesAttachments
    requestSchema = { recorder throws(SchemaError) in try recorder.schema(of: Message.self) }
    replySchema = { recorder throws(SchemaError) in try recorder.schema(of: Reply.self) }
  }

  package var path: String { target.path + "/" + name }
}
