import AppStoreServerAPI
import Fleet
import Foundation
import Shared
import Wire

/// `storefleet keys`: all that a developer's server needs to use a world in Apple's place.
enum KeysCommand {
  private static let out = Option(
    "out", value: "FOLDER", help: "also write the key and the root certificate, DER and PEM, into this folder")

  static let command = Command(
    name: "keys", summary: "print what your server needs to call the App Store Server API of this world",
    options: [out, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet keys", "base URLs, key, root certificate, and the lines for Apple's libraries"),
      .init("storefleet keys --out ./keys", "writes the files that those lines read"),
      .init("storefleet keys --json | jq -r .sandboxURL", "for scripts"),
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let reply = try await fleet.askWorld(DescribeAPIKeys())
      let keys = try ServerKeys(reply, world: fleet.world)
      let files = try arguments.value(out).map { try write(keys, to: $0) }
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: ServerKeysReport(keys, files: files))
      } else {
        print(keys.text(files: files))
      }
      return .ok
    }
  }

  private static func write(_ keys: ServerKeys, to path: String) throws -> ServerKeys.Files {
    let files = ServerKeys.Files(keys, folder: path)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try keys.reply.rootCertificate.write(to: URL(filePath: files.rootDER), options: .atomic)
      try Data(keys.rootPEM.utf8).write(to: URL(filePath: files.rootPEM), options: .atomic)
      // Whoever can read it can act for the developer.
      try KeyFile.write(
        Data(keys.reply.privateKey.utf8), to: URL(filePath: files.privateKey), operation: "write \(files.privateKey)")
    } catch {
      throw CommandFailure("cannot write the keys into '\(path)': \(error)", exitCode: .unreachable)
    }
    return files
  }
}
