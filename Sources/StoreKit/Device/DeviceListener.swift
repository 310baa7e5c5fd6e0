import ClientNode

/// What an iterator without an end reads from: a stream of its device. One that was made where no device was yet listens
/// to the first that this process becomes, as at Apple a listener hears of a session that is opened after it.
struct DeviceListener<Element: Sendable> {
  private enum Source {
    case coming(DaemonStream<any StoreDaemon>)
    case here(any StoreDaemon, DaemonStream<Element>)
  }

  private var source: Source
  private let listen: @Sendable (any StoreDaemon) -> DaemonStream<Element>

  /// Listens from now on.
  /// - Parameter daemon: nil where there was no device when the sequence was asked for.
  init(to daemon: (any StoreDaemon)?, _ listen: @escaping @Sendable (any StoreDaemon) -> DaemonStream<Element>) {
    self.listen = listen
    source = daemon.map { .here($0, listen($0)) } ?? .coming(CurrentDevice.first())
  }

  /// The next element, and the device that it came to.
  mutating func next() async -> (element: Element, daemon: any StoreDaemon)? {
    if case .coming(let devices) = source {
      guard let daemon = await devices.next() else { return nil }
      source = .here(daemon, listen(daemon))
    }
    guard case .here(let daemon, let stream) = source else { return nil }
    return await stream.next().map { ($0, daemon) }
  }
}
