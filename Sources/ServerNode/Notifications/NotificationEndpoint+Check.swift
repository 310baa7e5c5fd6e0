import Foundation
import Wire

extension NotificationEndpoint {
  func check() throws(WireError) {
    if let timeoutMilliseconds, !NotificationEndpoint.timeoutsAllowed.contains(timeoutMilliseconds) {
      throw WireError(
        .badBody, "an answer to a notification may take 1 to 600000 milliseconds, not \(timeoutMilliseconds)")
    }
    if url == NotificationEndpoint.accept { return }
    let parts = URLComponents(string: url)
    guard let scheme = parts?.scheme?.lowercased(), scheme == "http" || scheme == "https",
      parts?.host?.isEmpty == false, !url.utf8.contains(where: { $0 <= 32 || $0 == 127 })
    else {
      throw WireError(
        .badBody,
        "'\(url.prefix(200))' is no URL for notifications: expected one such as http://127.0.0.1:8080/notifications, "
          + "or 'accept'")
    }
  }
}
