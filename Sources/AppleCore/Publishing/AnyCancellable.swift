/// Cancels when it is let go.
///
/// Apple: https://developer.apple.com/documentation/combine/anycancellable
public final class AnyCancellable: Cancellable, Hashable {
  private let onCancel: Locked<(() -> Void)?>

  public init(_ cancel: @escaping () -> Void) { onCancel = Locked(cancel) }

  public init<Canceller: Cancellable>(_ canceller: Canceller) { onCancel = Locked({ canceller.cancel() }) }

  deinit { cancel() }

  /// Once.
  public func cancel() {
    let cancel = onCancel.withLock { onCancel in
      defer { onCancel = nil }
      return onCancel
    }
    cancel?()
  }

  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  public func store<Cancellables: RangeReplaceableCollection>(in collection: inout Cancellables)
  where Cancellables.Element == AnyCancellable {
    collection.append(self)
  }

  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What it holds is behind a lock, and runs once.
extension AnyCancellable: @unchecked Sendable {}
