/// Something that goes on until it is cancelled.
public protocol Cancellable {
  func cancel()
}

extension Cancellable {
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }

  public func store<Cancellables: RangeReplaceableCollection>(in collection: inout Cancellables)
  where Cancellables.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }
}
