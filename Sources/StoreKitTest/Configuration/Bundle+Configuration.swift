public import Foundation

// At Apple, the bundle of a test class has the resources of its target, and `Bundle(for:)` is how suites find their
// configuration file. With SwiftPM on Linux, the bundle of every class is the build folder, which has none. These forms
// take the place of Foundation's in files that import StoreKitTest, when both names are given: the compiler prefers
// parameters that are not optional.
extension Bundle {
  /// As Foundation's; a `.storekit` file that the bundle does not have is looked for where
  /// `SKTestSession(configurationFileNamed:)` looks.
  public func url(
    forResource name: String, withExtension ext: String, fileID: String = #fileID, filePath: String = #filePath
  ) -> URL? {
    if let url = url(forResource: Optional(name), withExtension: Optional(ext)) { return url }
    guard ext == "storekit" || ext == ".storekit" else { return nil }
    let caller = SourcePlace(fileID: fileID, filePath: filePath)
    return try? ConfigurationSearch(name: name, caller: caller).find()
  }

  /// As Foundation's; see `url(forResource:withExtension:)`.
  public func path(
    forResource name: String, ofType ext: String, fileID: String = #fileID, filePath: String = #filePath
  ) -> String? {
    if let path = path(forResource: Optional(name), ofType: Optional(ext)) { return path }
    return url(forResource: name, withExtension: ext, fileID: fileID, filePath: filePath)?.path
  }
}
