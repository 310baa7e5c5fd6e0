import Fleet
import Foundation
import Shared
import Wire

/// What a world is made with, for the commands that make one.
enum WorldOptions {
  private static let catalog = Option(
    "catalog", value: "FILE", help: "the .storekit file of what the world sells; a small one of its own without it")
  private static let bundle = Option(
    "bundle-id", value: "ID", default: "com.example.app", help: "the app's bundle id")
  private static let clock = Option(
    "clock", value: "real|manual", default: "real", help: "whether the world's clock runs or is moved by you")

  static let all = [catalog, bundle, clock]

  static func request(_ arguments: Arguments) throws -> CreateWorld {
    let mode: ClockMode =
      switch try arguments.required(clock) {
      case "real": .real
      case "manual": .manual(startsAt: StoreTime(Date()))
      case let other: throw UsageError("--clock is 'real' or 'manual', not '\(other)'")
      }
    let bundleId = try arguments.required(bundle)
    guard !bundleId.isEmpty else { throw UsageError("--bundle-id is empty: say one such as com.example.app") }
    return CreateWorld(catalog: try catalogText(arguments.value(catalog)), bundleId: bundleId, clock: mode)
  }

  private static func catalogText(_ file: String?) throws -> String {
    guard let file else { return BuiltInCatalog.text }
    do {
      _ = try Catalog.load(contentsOf: URL(filePath: file))
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch let error as CatalogError {
      throw CommandFailure(error.lines.joined(separator: "\n"), exitCode: .failed)
    } catch {
      throw CommandFailure("\(error)", exitCode: .failed)
    }
  }
}
