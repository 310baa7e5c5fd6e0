import ClientNode
import Fleet
import Foundation
import Glibc
import Wire

/// Which devices a client node has: named one by one, counted, or listed in a file.
enum ClientSeats {
  private static let device = Option(
    "device", value: "NAME=ACCOUNT", help: "a device and the account it is signed in to; may be repeated")
  private static let count = Option(
    "device-count", value: "N", help: "so many devices, named after the node: NODE-1, NODE-2 and so on")
  private static let account = Option(
    "account", value: "NAME", help: "the account of counted devices; may be repeated, then they take turns")
  private static let devices = Option(
    "devices", value: "FILE", help: "a JSON list of {\"world\", \"device\", \"account\"}, for many of them")

  static let options = [device, count, account, devices]

  static func read(_ arguments: Arguments, world: String, node: String) throws -> [ClientNodeConfiguration.Device] {
    try named(arguments) + counted(arguments, node) + listed(arguments, world)
  }

  /// The name of this machine, which in a container is the container's own.
  static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "client" }
    let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return ActorAddress.isName(name) ? name : "client"
  }

  private static func named(_ arguments: Arguments) throws(UsageError) -> [ClientNodeConfiguration.Device] {
    var seats: [ClientNodeConfiguration.Device] = []
    for text in arguments.values(device) {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw UsageError("--device is NAME=ACCOUNT, such as phone=alice, not '\(text)'") }
      do {
        try NameError.check(String(parts[0]), "a device")
        try NameError.check(String(parts[1]), "an account")
      } catch {
        throw UsageError("option '--device' is '\(text)': \(error.message)")
      }
      seats.append(.init(name: String(parts[0]), account: String(parts[1])))
    }
    return seats
  }

  private static func counted(
    _ arguments: Arguments, _ node: String
  ) throws(UsageError) -> [ClientNodeConfiguration.Device] {
    let accounts = arguments.values(account)
    guard let count = try arguments.integer(count, in: 1...100_000) else {
      guard accounts.isEmpty else { throw UsageError("--account says whose counted devices are: add --device-count N") }
      return []
    }
    guard !accounts.isEmpty else { throw UsageError("--device-count needs to know whose they are: add --account NAME") }
    return (0..<count).map { .init(name: "\(node)-\($0 + 1)", account: accounts[$0 % accounts.count]) }
  }

  private static func listed(_ arguments: Arguments, _ world: String) throws -> [ClientNodeConfiguration.Device] {
    guard let file = arguments.value(devices) else { return [] }
    do {
      let listed = try JSONDecoder().decode([DeviceRegistration].self, from: Data(contentsOf: URL(filePath: file)))
      return listed.filter { $0.world == world }.map { .init(name: $0.device, account: $0.account) }
    } catch let error as DecodingError {
      throw CommandFailure("'\(file)' is no list of devices: \(DecodingText.of(error))", exitCode: .failed)
    } catch {
      throw CommandFailure("'\(file)' cannot be read: \(error.localizedDescription)", exitCode: .failed)
    }
  }
}
