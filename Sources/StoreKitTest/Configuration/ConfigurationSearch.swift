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

  init(name: String) { self.name = name.hasSuffix(".storekit") ? name : name + ".storekit" }

  /// - Throws: `fileNotFound`, with the places that were looked at.
  func find() throws(SKTestError) -> URL {
    var places: [String] = []
    func look(in folder: URL, deep: Int = 0) -> URL? {
      places.append(folder.path)
      return search(folder, deep: deep)
    }
    let bundleFolders = bundles.map { $0.resourceURL ?? $0.bundleURL }
    for folder in unique(bundleFolders + resourceFolders) {
      if let url = look(in: folder, deep: 2) { return url }
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

  /// The folders that SwiftPM makes for the resources of targets.
  private var resourceFolders: [URL] {
    let folder = executable.deletingLastPathComponent()
    return children(of: folder).filter { ["resources", "bundle"].contains($0.pathExtension) }
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
    for child in children(of: folder) where child.hasDirectoryPath {
      if let url = search(child, deep: deep - 1) { return url }
    }
    return nil
  }

  /// Without hidden ones, such as a build folder.
  private func children(of folder: URL) -> [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])
    return (found ?? []).sorted { $0.path < $1.path }
  }

  private func unique(_ folders: [URL]) -> [URL] {
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }
}
