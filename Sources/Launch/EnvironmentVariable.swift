import Glibc

/// One variable of this process's environment. All of them as a dictionary take half a millisecond, which is much where
/// hundreds of processes start.
package enum EnvironmentVariable {
  package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
