import Foundation

/// Where a configuration file is looked for by its name: in bundles, as with Apple, and where people keep such files in
/// a Swift package.
struct ConfigurationSearch {
  let name: String
  /// The folder that the process runs in.
  var currentFolder = URL(filePath: FileManager.default.currentDirectoryPath)
  /// The test's executable, beside which SwiftPM puts the resources of each target.
  var executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  var bundles: [Bundle] = [Bundle.main] + Bundle.allBundles
  /// The code that asks: targets of a package may have files of the same name, and each means its own.
  var caller: SourcePlace?

  init(name: String, caller: SourcePlace? = nil) {
    self.name = name.hasSuffix(".storekit") ? name : name + ".storekit"
    self.caller = caller
  }

  /// - Throws: `fileNotFound`, with the places that were looked at.
  func find() throws(SKTestError) -> URL {
    var places: [String] = []
    func look(in folder: URL, deep: Int = 0) -> URL? {
      // A folder may be searched twice, and deeper the second time; people are told once.
      let place = folder.standardizedFileURL.path
      if !places.contains(place) { places.append(place) }
      return search(folder, deep: deep)
    }
    let bundleFolders = bundles.map { $0.resourceURL ?? $0.bundleURL }
    let buildFolder = executable.deletingLastPathComponent().standardizedFileURL.path
    let own = resourceFolders.filter { caller?.isOfTarget(resources: $0) ?? false }
    for folder in own { if let url = look(in: folder, deep: 2) { return url } }
    if let url = beside(look) { return url }
    for folder in unique(bundleFolders + resourceFolders) {
      // The main bundle of a test is the whole build folder.
      let deep = folder.standardizedFileURL.path == buildFolder ? 0 : 2
      if let url = look(in: folder, deep: deep) { return url }
    }
    if let url = look(in: currentFolder) { return url }
    // A target need not list the file as a resource.
    for package in unique([currentFolder, executable.deletingLastPathComponent()].compactMap(packageFolder)) {
      if let url = look(in: package, deep: 5) { return url }
    }
    throw SKTestError(
      .fileNotFound,
      "there is no \(name): looked in \(places.joined(separator: ", ")). Put it into one of these folders, list it "
        + "among the resources of the test target, or open the session with SKTestSession(contentsOf:)")
  }

  /// In the folders of the code that asks, up to that of its target, which is the last one below `Tests` or the package.
  private func beside(_ look: (URL, Int) -> URL?) -> URL? {
    guard let caller, let package = packageFolder(above: caller.folder)?.standardizedFileURL.path else { return nil }
    var folder = caller.folder.standardizedFileURL
    while folder.path.hasPrefix(package + "/"), folder.lastPathComponent != "Tests" {
      if let url = look(folder, 0) { return url }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  /// The folders that SwiftPM makes for the resources of targets.
  private var resourceFolders: [URL] {
    let folder = executable.deletingLastPathComponent()
    return names(in: folder).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
      .map { folder.appending(path: $0, directoryHint: .isDirectory) }
  }

  /// The nearest folder at or above this one that has a Package.swift.
  private func packageFolder(above folder: URL) -> URL? {
    var folder = folder.standardizedFileURL
    for _ in 0..<64 {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
      let parent = folder.deletingLastPathComponent()
      guard parent.path != folder.path else { return nil }
      folder = parent
    }
    return nil
  }

  /// The folder itself first, then those in it, in the order of their names.
  private func search(_ folder: URL, deep: Int) -> URL? {
    let file = folder.appending(path: name)
    if FileManager.default.fileExists(atPath: file.path) { return file }
    guard deep > 0 else { return nil }
    for name in names(in: folder) {
      let child = folder.appending(path: name, directoryHint: .isDirectory)
      if isFolder(child), let url = search(child, deep: deep - 1) { return url }
    }
    return nil
  }

  private func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Without hidden ones, such as a build folder. Names alone: a folder of build products has thousands.
  private func names(in folder: URL) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (found ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  private func unique(_ folders: [URL]) -> [URL] {
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }
}
