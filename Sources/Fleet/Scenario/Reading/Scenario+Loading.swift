package import Foundation
import Shared

extension Scenario {
  /// Larger files are refused; real ones have a few kilobytes.
  package static let maximumFileSize = 4 << 20

  /// Reads a scenario's file, JSON5, and the catalogue that it names.
  ///
  /// - Parameters:
  ///   - fixtures: where a catalogue is looked for that is not beside the scenario.
  ///   - app: runs instead of the one that the file names.
  /// - Throws: all mistakes of the file.
  package static func load(
    contentsOf url: URL, fixtures: URL, app: ScenarioApp? = nil
  ) throws(ScenarioError) -> Scenario {
    let file = url.relativePath
    let data: Data
    do { data = try read(url, upTo: maximumFileSize) } catch {
      if !FileManager.default.fileExists(atPath: url.path) {
        throw ScenarioError(file: file, "there is no such file: a scenario was expected")
      }
      throw ScenarioError(file: file, "the scenario cannot be read: \(error.localizedDescription)")
    }
    return try read(data, file: file, folders: [url.deletingLastPathComponent(), fixtures], app: app)
  }

  /// Reads a scenario's text.
  ///
  /// - Parameters:
  ///   - file: the name that messages give.
  ///   - folders: where the catalogue is looked for, in this order; the app's path begins at the first.
  ///   - app: runs instead of the one that the file names.
  package static func read(
    _ data: Data, file: String, folders: [URL], app: ScenarioApp? = nil
  ) throws(ScenarioError) -> Scenario {
    guard data.count <= maximumFileSize else {
      throw ScenarioError(file: file, "the file is too large: a scenario has at most \(maximumFileSize) bytes")
    }
    let bytes = [UInt8](data)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ScenarioError(file: file, "the file is not UTF-8 text: save it as UTF-8")
    }
    let root: JSONNode
    do {
      root = try JSONParser.parse(bytes)
    } catch {
      let message = "this is not JSON5: found \(error.found), expected \(error.expected)"
      throw ScenarioError(
        file: file, mistakes: [ScenarioMistake(position: error.position, place: "", message: message)])
    }
    let findings = ScenarioFindings()
    let reader = ScenarioReader(root, file: file, folder: folders.first, app: app, findings: findings)
    let scenario = reader?.scenario { name in
      do { return try loadCatalog(name, folders: folders) } catch {
        reader?.root.note(
          "\(ScenarioSection.quoted(name ?? BuiltInCatalog.name)) is no catalogue: \(error)", at: "catalog")
        return nil
      }
    }
    guard let scenario, findings.mistakes.isEmpty else {
      throw ScenarioError(file: file, mistakes: findings.inOrder)
    }
    return scenario
  }

  private static func loadCatalog(_ name: String?, folders: [URL]) throws -> ScenarioCatalog {
    guard let name else { return try catalog(BuiltInCatalog.name, Data(BuiltInCatalog.text.utf8)) }
    let places =
      name.hasPrefix("/") ? [URL(filePath: name)] : folders.map { $0.appending(path: name).standardizedFileURL }
    guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
      throw CatalogNotFound(places: places.map(\.path))
    }
    return try catalog(name, read(found, upTo: Catalog.maximumFileSize))
  }

  private static func catalog(_ name: String, _ data: Data) throws -> ScenarioCatalog {
    let catalog = try Catalog(data: data, file: name)
    return ScenarioCatalog(
      name: name, text: String(decoding: data, as: UTF8.self), productIds: catalog.products.map(\.id))
  }

  /// One byte more than the limit tells a file that is too large, and a device file without an end stays harmless.
  private static func read(_ url: URL, upTo limit: Int) throws -> Data {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    return try handle.read(upToCount: limit + 1) ?? Data()
  }
}

private struct CatalogNotFound: Error, CustomStringConvertible {
  let places: [String]
  var description: String { "there is no file \(places.joined(separator: " or "))" }
}

extension ScenarioError {
  fileprivate init(file: String, _ message: String) {
    self.init(file: file, mistakes: [ScenarioMistake(position: nil, place: "", message: message)])
  }
}
