import Foundation
import PublicMaterial
import Testing

/// App code, compiled as an app would: in Swift 5 mode, with nothing but what the modules export.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SourceCompatibilityTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(.enabled(if: Compiler.modules != nil)) func everyDeclarationCompilesInSwift5Mode() throws {
    let folder = Self.root.appending(path: "Tests/StoreKitTests/Surface")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(try Compiler.check(files, warningsAreErrors: true) == "")
  }

  @Test(.enabled(if: Compiler.modules != nil)) func everyDeclarationCompilesInSwift6Mode() throws {
    let folder = Self.root.appending(path: "Tests/StoreKitTests/Surface")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(try Compiler.check(files, mode: "6", warningsAreErrors: true) == "")
  }

  @Test(.enabled(if: Compiler.modules != nil && !PublicMaterial.listings.isEmpty, "\(PublicMaterial.absence)"))
  func publishedListingsCompile() throws {
    for group in try groups(of: PublicMaterial.listings) {
      #expect(try Compiler.check(group) == "", "\(group.map(\.lastPathComponent))")
    }
  }

  /// Files that belong together: of one article, as long as they declare no type twice. Files of tests are left out.
  private func groups(of files: [URL]) throws -> [[URL]] {
    var groups: [(article: Substring, types: Set<String>, files: [URL])] = []
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard !text.contains("import XCTest") else { continue }
      let article = file.lastPathComponent.prefix(3)
      let types = Set(text.matches(of: /(?:class|struct|enum|protocol) (\w+)/).map { String($0.1) })
      if let last = groups.last, last.article == article, last.types.isDisjoint(with: types) {
        groups[groups.count - 1].types.formUnion(types)
        groups[groups.count - 1].files.append(file)
      } else {
        groups.append((article, types, [file]))
      }
    }
    return groups.map(\.files)
  }
}
