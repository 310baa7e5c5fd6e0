// Apple's names for these functions begin with the module's.

/// Writes a message with values in the manner of `printf`; values that are not marked `%{public}` are private when they
/// are objects.
///
/// Apple takes values that C takes. On Linux a `String` is none of these, so this takes anything.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ args: Any...
) {
  guard log.isEnabled(type: type) else { return }
  let format = FormatWithPrivacy(message.description, revealed: LogOutput.showsPrivateValues)
  LogOutput.write(format.text(args), type, log)
}

public func os_log(_ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: OSLogMessage) {
  LogOutput.write(message.text, type, log)
}
