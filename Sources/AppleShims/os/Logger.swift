/// Writes messages to standard error.
///
/// Apple: https://developer.apple.com/documentation/os/logger. There is no store of messages here: nothing can be read
/// back, and every message that is written is written at once.
public struct Logger: Sendable {
  private let log: OSLog

  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
  public init(_ log: OSLog) { self.log = log }
  public init() { log = .default }

  public func log(_ message: OSLogMessage) { write(message, .default) }
  public func log(level: OSLogType, _ message: OSLogMessage) { write(message, level) }
  public func trace(_ message: OSLogMessage) { write(message, .debug) }
  public func debug(_ message: OSLogMessage) { write(message, .debug) }
  public func info(_ message: OSLogMessage) { write(message, .info) }
  public func notice(_ message: OSLogMessage) { write(message, .default) }
  public func warning(_ message: OSLogMessage) { write(message, .error) }
  public func error(_ message: OSLogMessage) { write(message, .error) }
  public func critical(_ message: OSLogMessage) { write(message, .fault) }
  public func fault(_ message: OSLogMessage) { write(message, .fault) }

  private func write(_ message: OSLogMessage, _ type: OSLogType) { LogOutput.write(message.text, type, log) }
}
