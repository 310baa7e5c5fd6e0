import Foundation
package import HTTPServer
package import ServerNode

/// Where verifiers ask whether a world's certificates are revoked. The certificates name this place while the node
/// speaks HTTP.
package struct OCSPRoom: Sendable {
  private let node: StoreServer

  package init(node: StoreServer) { self.node = node }

  package func addRoutes(to router: inout HTTPRouter) {
    router.on(.post, "\(StoreServer.ocspPath)/{world}") { [node] request in
      guard let world = request.parameters["world"], let answer = try node.answerOCSP(request.body, for: world) else {
        return HTTPResponse(status: .notFound)
      }
      return .data(answer, contentType: "application/ocsp-response")
    }
  }
}
