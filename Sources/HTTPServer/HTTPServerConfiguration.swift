import Foundation

/// Where a server listens and what it takes.
package struct HTTPServerConfiguration: Sendable {
  /// A numeric address or a name: "127.0.0.1", "::1", "localhost".
  package var host: String
  /// 0 lets the system pick one.
  package var port: Int
  package var tls: HTTPTLSIdentity?
  package var limits: HTTPServerLimits
  /// How many threads serve connections; each connection stays on one.
  package var threads: Int

  package init(
    host: String = "127.0.0.1", port: Int = 0, tls: HTTPTLSIdentity? = nil,
    limits: HTTPServerLimits = HTTPServerLimits(), threads: Int = HTTPServerConfiguration.defaultThreads
  ) {
    self.host = host
    self.port = port
    self.tls = tls
    self.limits = limits
    self.threads = threads
  }

  /// One for each processor, four at most: a thread serves tens of thousands of requests in a second.
  package static var defaultThreads: Int { min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4) }
}
