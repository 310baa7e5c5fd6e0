import ClientNode
import Foundation
import Synchronization
import Wire

/// A phone whose app is this process.
final class TestDevice: Sendable {
  let name: String
  let account: String
  private let node: ClientNode
  private let launched: Waiter<DeviceDaemon>

  /// Returns when the store knows the device; it is launched afterwards.
  init(
    name: String, account: String, world: String, endpoint: String, context: ZMQContext, isProcess: Bool
  ) throws(SKTestError) {
    self.name = name
    self.account = account
    let ready = Waiter<Bool>()
    let launched = Waiter<DeviceDaemon>()
    self.launched = launched
    let configuration = ClientNodeConfiguration(
      world: world, node: "node-\(name)", devices: [.init(name: name, account: account)], requestsEndpoint: endpoint,
      isAlone: true)
    do throws(ClientNodeError) {
      node = try ClientNode(
        configuration: configuration, host: NoHost(), context: context, log: { TestWorld.log($0) },
        onReady: { _ in ready.fulfill(true) })
    } catch {
      throw SKTestError(.serviceUnavailable, "\(error)")
    }
    node.startResident { daemon in
      if isProcess { CurrentDevice.register(daemon, isProcess: true) }
      launched.fulfill(daemon)
    }
    guard ready.wait(seconds: 60) != nil else {
      node.stopResident()
      throw SKTestError(.serviceUnavailable, "the store of this process did not take in device '\(name)' in time")
    }
  }

  func requireDaemon() throws(SKTestError) {
    guard launched.wait(seconds: 60) != nil else {
      throw SKTestError(.serviceUnavailable, "device '\(name)' did not launch in time")
    }
  }

  /// Set once the device is launched, which is before anybody else gets it.
  var daemon: DeviceDaemon? { launched.current }

  /// What listens by now may be of an earlier test.
  func ageListeners() { node.ageListeners(of: name) }

  func close() { node.stopResident() }
}
