/// An object that tells before it changes.
///
/// Apple: https://developer.apple.com/documentation/combine/observableobject
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Sends before each change of a `@Published` property of this object; and when it is asked to.
  public var objectWillChange: ObservableObjectPublisher { ChangePublishers.publisher(of: self) }
}
