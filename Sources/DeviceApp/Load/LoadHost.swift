package import ClientNode
package import Foundation
import Shared
import Synchronization
package import Wire

/// Runs the load app on every device of a client node, and this node's part of a load run.
package final class LoadHost: AppHost {
  private let recorder = LoadRecorder()
  private let apps = MultiDeviceHost<LoadApp>()
  private let started = Mutex(false)

  package init() {}

  package func launch(_ daemon: any StoreDaemon, user: UUID?) async throws {
    try await LoadRecorder.$current.withValue(recorder) { try await apps.launch(daemon, user: user) }
  }

  package func appear(device: String) async { await apps.appear(device: device) }
  package func kill(device: String) async { await apps.kill(device: device) }
  package func buy(device: String, order: PurchaseOrder) async -> TapBuy.Reply {
    await apps.buy(device: device, order: order)
  }
  package func restore(device: String) async -> TapRestore.Reply { await apps.restore(device: device) }
  package func signIn(device: String, user: UUID?) async { await apps.signIn(device: device, user: user) }
  package func screen(device: String) async -> AppScreen? { await apps.screen(device: device) }
  package func onScreenChange(_ handler: @escaping @Sendable (String) -> Void) { apps.onScreenChange(handler) }

  // MARK: The run

  package func answer(_ name: String, body: Data) async -> Result<Data, WireError> {
    do throws(WireError) {
      switch name {
      case PrepareLoad.name:
        return .success(WireJSON.encode(try await prepare(WireJSON.decode(PrepareLoad.self, from: body))))
      case StartLoad.name: return .success(WireJSON.encode(try await run(WireJSON.decode(StartLoad.self, from: body))))
      case CountLoad.name: return .success(WireJSON.encode(recorder.counts))
      case CollectLoad.name: return .success(WireJSON.encode(recorder.recorded))
      default: throw WireError(.unknownName, "a client node that runs load knows no request '\(name.prefix(100))'")
      }
    } catch {
      return .failure(error)
    }
  }

  private func prepare(_ order: PrepareLoad) async throws(WireError) -> PrepareLoad.Reply {
    let running = await apps.apps
    for (device, app) in running {
      do { try await app.prepare(order.productId) } catch {
        throw .refused(
          .productUnavailable, "device \(device) cannot load '\(order.productId)': \(error.localizedDescription)")
      }
    }
    return PrepareLoad.Reply(devices: running.count)
  }

  /// Makes this node's purchases, each at its moment whatever became of the ones before, and returns when all have
  /// ended.
  private func run(_ order: StartLoad) async throws(WireError) -> LoadCounts {
    guard order.isSensible else {
      throw WireError(
        .badBody,
        "the load run is out of range: expected 0.001 purchases a second or more, and nodes that are numbered from 0")
    }
    let isFirst = started.withLock { started in
      defer { started = true }
      return !started
    }
    guard isFirst else {
      throw .refused(.wrongState, "this client node has made its load run: start a new fleet for another")
    }
    let apps = await apps.apps.sorted { $0.key < $1.key }.map(\.value)
    let schedule = LoadSchedule(
      rate: order.rate, total: order.total, client: order.client, clients: order.clients, devices: apps.count,
      seed: order.seed)
    recorder.plan(schedule.reduce(0) { count, _ in count + 1 })
    await withDiscardingTaskGroup { group in
      for purchase in schedule {
        let intendedAt = order.startAt &+ purchase.offset
        let wait = intendedAt &- MonotonicTime.now.microseconds
        if wait > 0 { try? await Task.sleep(for: .microseconds(wait), tolerance: .zero) }
        guard !Task.isCancelled else { return }
        let app = apps[purchase.device]
        group.addTask { [recorder] in
          recorder.begins(intendedAt: intendedAt, now: MonotonicTime.now.microseconds)
          await app.buy(intendedAt: intendedAt)
        }
      }
    }
    return recorder.counts
  }
}

extension StartLoad {
  /// Whether no arithmetic of the schedule can overflow.
  fileprivate var isSensible: Bool {
    rate >= 0.001 && rate <= 1e9 && (0...1_000_000_000).contains(total) && (1...10_000).contains(clients)
      && (0..<clients).contains(client)
  }
}
