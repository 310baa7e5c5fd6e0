public import Foundation

extension NotificationCenter {
  /// The notifications of a name that are posted from the subscription on.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> AnyPublisher<Notification, Never> {
    let center = Unchecked(self)
    let sender = Unchecked(object)
    return AnyPublisher { downstream in
      let downstream = Unchecked(downstream)
      let token = center.value.addObserver(forName: name, object: sender.value, queue: nil) {
        downstream.value.value($0)
      }
      return AnyCancellable { center.value.removeObserver(token) }
    }
  }
}
