package import Foundation
import Wire

/// The description of the API in OpenAPI 3.1, made from the registry of requests.
package enum OpenAPIDocument {
  package static func json(version: String) throws(SchemaError) -> Data { WireJSON.encode(try document(version)) }

  private static func document(_ version: String) throws(SchemaError) -> JSONValue {
    let recorder = SchemaRecorder()
    var paths: [String: [String: JSONValue]] = [:]
    for request in ControlRequest.all {
      paths[request.path, default: [:]]["post"] = try operation(request, recorder)
    }
    for question in ControlQuestion.all {
      paths[question.path, default: [:]]["get"] = try operation(question, recorder)
    }
    paths[ControlAPI.eventsPath] = ["get": events]
    for (path, summary, type) in plain { paths[path] = ["get": operation(path, summary, type)] }
    var schemas = recorder.components
    schemas["Error"] = error
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Storefleet control API", "version": .string(version),
        "description": "The verbs of the command line, over HTTP. Bodies are those of docs/protocol/03-messages.md.",
      ],
      "tags": .array(
        (ControlTarget.allCases.map(\.rawValue) + ["operations"]).map { ["name": .string($0)] }),
      "paths": .object(paths.mapValues { .object($0) }),
      "components": [
        "schemas": .object(schemas), "responses": .object(errors.mapValues(response)),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
      ],
      "security": [["token": []]],
    ]
  }

  // MARK: Operations

  private static func operation(
    _ request: ControlRequest, _ recorder: SchemaRecorder
  ) throws(SchemaError) -> JSONValue {
    var body = try request.requestSchema(recorder)
    if request.takesAttachments { body = withAttachments(body) }
    let isNeeded = needsBody(body, recorder)
    return [
      "operationId": .string("\(request.target.rawValue).\(request.name)"), "tags": [.string(request.target.rawValue)],
      "summary": .string(request.summary),
      "parameters": .array(parameters(request.target) + [idempotencyKey, timeout]),
      "requestBody": ["required": .bool(isNeeded), "content": ["application/json": ["schema": body]]],
      "responses": responses(try reply(request, recorder), errors.keys.sorted()),
    ]
  }

  private static func operation(
    _ question: ControlQuestion, _ recorder: SchemaRecorder
  ) throws(SchemaError) -> JSONValue {
    let query = question.parameters.map { parameter -> JSONValue in
      [
        "name": .string(parameter.name), "in": "query", "description": .string(parameter.description),
        "schema": parameter.schema,
      ]
    }
    let path = question.path.split(separator: "/").dropFirst(2).joined(separator: ".").filter { !"{}".contains($0) }
    return [
      "operationId": .string("get.\(path)"), "tags": [.string(question.request.target.rawValue)],
      "summary": .string(question.summary),
      "parameters": .array(parameters(question.request.target) + query + [timeout]),
      "responses": responses(
        try reply(question.request, recorder), errors.keys.sorted().filter { !["415", "422"].contains($0) }),
    ]
  }

  private static let events: JSONValue = [
    "operationId": "get.worlds.world.events", "tags": ["world"],
    "summary": "What happens in the world, as it happens: server-sent events until either side ends it.",
    "parameters": .array(
      parameters(.world) + [
        [
          "name": "Last-Event-ID", "in": "header", "schema": ["type": "string"],
          "description": "The id of the last event that was read: go on behind it.",
        ],
        [
          "name": "lastEventId", "in": "query", "schema": ["type": "string"],
          "description": "The same, for clients that cannot set headers.",
        ],
      ]),
    "responses": responses(
      [
        "description": "Events. `watching` comes first, `reset` when some were missed.",
        "content": ["text/event-stream": ["schema": ["type": "string"]]],
      ], errors.keys.sorted().filter { !["409", "415", "422"].contains($0) }),
  ]

  private static let plain: [(path: String, summary: String, contentType: String)] = [
    ("/metrics", "Metrics for Prometheus. Without a token only where the server listens on loopback.", "text/plain"),
    ("/healthz", "Whether the process serves.", "text/plain"),
    ("/readyz", "Whether the server node answers requests.", "text/plain"),
    ("/openapi.json", "This description.", "application/json"),
  ]

  private static func operation(_ path: String, _ summary: String, _ contentType: String) -> JSONValue {
    let schema: JSONValue = contentType == "text/plain" ? ["type": "string"] : ["type": "object"]
    var responses: [String: JSONValue] = [
      "200": ["description": "It is so.", "content": [contentType: ["schema": schema]]]
    ]
    var operation: JSONValue = [
      "operationId": .string("get" + path.replacing("/", with: ".")), "tags": ["operations"],
      "summary": .string(summary), "security": [],
    ]
    if path == "/metrics" {
      operation["security"] = [[:], ["token": []]]
      responses["401"] = reference("401")
      responses["403"] = reference("403")
      responses["503"] = reference("503")
    } else if path == "/readyz" {
      responses["503"] = [
        "description": "Not yet, or no more.", "content": ["text/plain": ["schema": ["type": "string"]]],
      ]
    }
    operation["responses"] = .object(responses)
    return operation
  }

  // MARK: Parts

  private static func reply(
    _ request: ControlRequest, _ recorder: SchemaRecorder
  ) throws(SchemaError) -> JSONValue {
    var schema = try request.replySchema(recorder)
    if request.givesAttachments { schema = withAttachments(schema) }
    return ["description": "Done.", "content": ["application/json": ["schema": schema]]]
  }

  private static func withAttachments(_ schema: JSONValue) -> JSONValue {
    let attachments: JSONValue = [
      "type": "object", "properties": ["attachments": ["type": "array", "items": ["type": "string"]]],
    ]
    return ["allOf": [schema, attachments]]
  }

  private static func needsBody(_ schema: JSONValue, _ recorder: SchemaRecorder) -> Bool {
    guard case .string(let reference) = schema["$ref"] else { return true }
    let name = reference.replacing("#/components/schemas/", with: "")
    return recorder.components[name]?["required"] != nil
  }

  private static func parameters(_ target: ControlTarget) -> [JSONValue] {
    target.parameters.map { name, description in
      [
        "name": .string(name), "in": "path", "required": true, "description": .string(description),
        "schema": ["type": "string", "pattern": "^[A-Za-z0-9._+@-]{1,128}$"],
      ]
    }
  }

  private static let idempotencyKey: JSONValue = [
    "name": "Idempotency-Key", "in": "header", "schema": ["type": "string", "format": "uuid"],
    "description": "Names the request: the same again gets the same reply, and is done once.",
  ]

  private static let timeout: JSONValue = [
    "name": "timeout", "in": "query",
    "schema": [
      "type": "integer", "minimum": 1, "maximum": .integer(Int64(ControlAPI.mostPatience)),
      "default": .integer(Int64(ControlAPI.patience)),
    ],
    "description": "How many seconds the answer is waited for.",
  ]

  // MARK: Errors

  private static let error: JSONValue = [
    "type": "object", "required": ["code", "message"],
    "properties": [
      "code": ["type": "string", "description": "The wire's code."],
      "message": ["type": "string", "description": "One sentence for a person."],
      "refusal": ["type": "string", "description": "With `refused`: why the store says no."],
    ],
  ]

  private static let errors: [String: String] = [
    "400": "The request cannot be read: `badBody`, `badFrame`. As text, when its address or headers cannot be.",
    "401": "The token is missing or wrong: `unauthorized`.",
    "403": "`forbidden`: a web page asks a server that has no token.",
    "404": "Nobody has this address, or there is no such path: `unknownAddress`, `unknownName`.",
    "409": "The store says no: `refused`, with the reason in `refusal`.",
    "413": "The body is larger than 1 MiB.",
    "415": "The body is not application/json: `unsupportedMediaType`.",
    "422": "The Idempotency-Key was another request's: `keyReused`.",
    "429": "Too many requests wait: `overloaded`. Ask again with the same Idempotency-Key.",
    "500": "A mistake of the program's: `internal`.",
    "503": "The node cannot serve this now: `unavailable`. Ask again with the same Idempotency-Key.",
    "504": "No answer in time: `deadlineExceeded`. Ask again with the same Idempotency-Key.",
  ]

  private static func response(_ description: String) -> JSONValue {
    var content: JSONValue = ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]]
    if description.contains("As text") { content["text/plain"] = ["schema": ["type": "string"]] }
    return description.hasPrefix("The body is larger")
      ? ["description": .string(description)] : ["description": .string(description), "content": content]
  }

  private static func reference(_ status: String) -> JSONValue {
    ["$ref": .string("#/components/responses/" + status)]
  }

  private static func responses(_ done: JSONValue, _ statuses: [String]) -> JSONValue {
    var responses: [String: JSONValue] = ["200": done]
    for status in statuses { responses[status] = reference(status) }
    return .object(responses)
  }
}
