/// What the App Store Server API answers instead of what was asked for: `{"errorCode": …, "errorMessage": …}`.
///
/// The first three digits of the code are the status of the response.
package struct APIError: Error, Hashable, Sendable {
  package let code: Int64
  package let message: String

  package var status: Int { Int(code / 10_000) }

  init(_ code: Int64, _ message: String) {
    self.code = code
    self.message = message
  }
}
