import Foundation
import TestPrograms

/// The Swift compiler, on the modules that were built with these tests.
enum Compiler {
  /// Where they are; nil when the tests run elsewhere than in the build folder.
  static let modules: URL? = {
    // The test bundle's executable is named by an argument, or is the process itself.
    let candidates = CommandLine.arguments + [Bundle.main.executablePath ?? ""]
    return candidates.lazy.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "Modules") }
      .first { FileManager.default.fileExists(atPath: $0.appending(path: "StoreKit.swiftmodule").path) }
  }()

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// Type-checks files as one module.
  /// - Returns: what the compiler has to say; empty when all is well.
  static func check(_ files: [URL], mode: String = "5", warningsAreErrors: Bool = false) throws -> String {
    var arguments = ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", mode]
    arguments += ["-module-name", "App", "-D", "APP"]
    arguments += warningsAreErrors ? ["-warnings-as-errors"] : ["-suppress-warnings"]
    arguments += ["-I", modules?.path ?? ""]
    // The modules of C libraries, which the package's own import.
    for module in ["CZeroMQ", "COpenSSL", "CSQLite", "CLinux", "AppleShims/CosLog"] {
      arguments += ["-I", sources.appending(path: module).path]
    }
    let result = try Program.run(arguments + files.map(\.path))
    return result.status == 0 ? "" : "swiftc ended with \(result.status):\n\(result.output)"
  }
}
