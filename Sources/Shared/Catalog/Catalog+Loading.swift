package import Foundation

extension Catalog {
  /// Larger files are refused; real ones are a few hundred kilobytes at most.
  package static let maximumFileSize = 16 << 20

  /// Loads a StoreKit configuration file, versions 1.0 to 5.0.
  ///
  /// - Throws: the mistakes of the file. One bad product refuses the whole file: a shop that silently lacks a product
  ///   would fail later, in a place that says nothing about the file.
  package static func load(contentsOf url: URL) throws(CatalogError) -> Catalog {
    let data: Data
    do {
      // One byte more than allowed tells a file that is too large, and a device file without an end stays harmless.
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      data = try handle.read(upToCount: maximumFileSize + 1) ?? Data()
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let code = cause?.domain == NSPOSIXErrorDomain ? cause?.code : nil
      let reason = code.map { String(cString: strerror(Int32($0))) } ?? error.localizedDescription
      let found = "nothing readable (\(reason))"
      throw CatalogError(file: url.relativePath, mistakes: [.unreadable(found)])
    }
    return try Catalog(data: data, file: url.relativePath)
  }

  /// Reads the content of a StoreKit configuration file.
  ///
  /// - Parameter file: the name that errors give.
  package init(data: Data, file: String) throws(CatalogError) {
    guard data.count <= Catalog.maximumFileSize else {
      throw CatalogError(file: file, mistakes: [.unreadable("more than \(Catalog.maximumFileSize) bytes")])
    }
    let bytes = [UInt8](data)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CatalogError(file: file, mistakes: [.unreadable("bytes that are not UTF-8 text")])
    }
    let root: JSONNode
    do {
      root = try JSONParser.parse(bytes)
    } catch {
      let mistake = CatalogMistake(
        position: error.position, keyPath: "", found: error.found, expected: error.expected)
      throw CatalogError(file: file, mistakes: [mistake])
    }
    self = try CatalogReader.read(root, file: file)
  }
}

extension CatalogMistake {
  fileprivate static func unreadable(_ found: String) -> CatalogMistake {
    CatalogMistake(position: nil, keyPath: "", found: found, expected: "a StoreKit configuration file")
  }
}
