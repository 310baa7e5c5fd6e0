import Foundation
import SQLite
import Shared
import Testing
import Wire

@testable import ClientNode

@Suite struct DeviceStoreFileTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/w/node.sqlite" }

  /// A store with something of everything in it, as a write.
  private func write() -> (StoreWrite, FakeDisk) {
    var bench = Bench()
    bench.start()
    let lineage = bench.store.subscribe("monthly", for: "alice")
    bench.store.renew(lineage, of: "alice")
    bench.pump()
    let app = bench.launch()
    bench.setOnline(false)
    bench.call(.finish(lineage), app)
    bench.control(SignInUser(appAccountToken: UUID()))
    let device = bench.disk.node.devices["phone"]!
    let write = DeviceWrite(
      device: "phone", replacesAll: true, state: device.state, records: device.records,
      renewalInfos: device.renewalInfos, copies: device.copies)
    return (StoreWrite(world: bench.store.description, devices: [write]), bench.disk)
  }

  @Test func everythingComesBackAfterTheFileIsOpenedAnew() throws {
    let (write, disk) = write()
    let file = try DeviceStoreFile(path: path)
    try file.save([write])
    file.close()
    let node = try DeviceStoreFile(path: path).load()
    let expected = try #require(disk.node.devices["phone"])
    let device = try #require(node.devices["phone"])
    #expect(node.world == write.world)
    #expect(device.state == expected.state)
    #expect(device.state.pendingFinishes.count == 1)
    #expect(device.records == expected.records)
    #expect(device.records.count == 2)
    #expect(device.renewalInfos == expected.renewalInfos)
    #expect(device.copies == expected.copies)
    #expect(device.copies.count == 3)
  }

  @Test func replacingAllForgetsWhatIsNotInTheWrite() throws {
    let (write, _) = write()
    let file = try DeviceStoreFile(path: path)
    try file.save([write])
    let state = try #require(write.devices.first).state
    let empty = DeviceWrite(
      device: "phone", replacesAll: true, state: state, records: [], renewalInfos: [], copies: [:])
    try file.save([StoreWrite(devices: [empty])])
    let device = try #require(try file.load().devices["phone"])
    #expect(device.records.isEmpty && device.renewalInfos.isEmpty && device.copies.isEmpty)
  }

  @Test func secondNodeOnTheSameFileIsRefused() throws {
    let (write, _) = write()
    let first = try DeviceStoreFile(path: path)
    try first.save([write])
    let error = #expect(throws: ClientNodeError.self) { try DeviceStoreFile(path: path) }
    #expect(error?.message.contains("in use by another client node") == true)
    first.close()
  }

  @Test func otherFilesAndFormatsAreRefusedWithTheWayOut() throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let junk = folder.path + "/junk.sqlite"
    try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: junk))
    let damaged = #expect(throws: ClientNodeError.self) { try DeviceStoreFile(path: junk) }
    #expect(damaged?.message.contains("damaged") == true)

    try DeviceStoreFile(path: path).close()
    let database = try SQLiteDatabase(path: path)
    try database.setUserVersion(99)
    database.close()
    let newer = #expect(throws: ClientNodeError.self) { try DeviceStoreFile(path: path) }
    #expect(newer?.message.contains("format 99") == true)
  }

  @Test func writesAreDoneInOrderAndTold() async throws {
    let (write, _) = write()
    let persistence = FilePersistence(path: path)
    _ = try persistence.load()
    for _ in 0..<50 {
      let failure = await withCheckedContinuation { continuation in
        persistence.save(write) { continuation.resume(returning: $0) }
      }
      #expect(failure == nil)
    }
    persistence.close()
    let failure = await withCheckedContinuation { continuation in
      persistence.save(write) { continuation.resume(returning: $0) }
    }
    #expect(failure != nil)
  }
}
