import Foundation
import Shared

/// `storefleet catalog check`: says what a StoreKit configuration file sells, or why it cannot be loaded.
enum CatalogCheck {
  private static let json = Option(flag: "json", help: "print each good file's catalogue as a JSON document")

  static let command = Command(
    name: "catalog check", summary: "say what a .storekit file sells, or why it cannot be loaded",
    operands: [Operand("FILE", .oneOrMore, help: "StoreKit configuration files, versions 1.0 to 5.0")],
    options: [json],
    examples: [
      .init("storefleet catalog check Products.storekit", "prints its products, prices and offers"),
      .init("storefleet catalog check --json *.storekit", "prints one JSON document a file; exit code 1 if one is bad"),
    ]
  ) { arguments in
    let report = report(arguments.operands, asJSON: arguments.has(json))
    FileHandle.standardOutput.write(Data(report.output.utf8))
    FileHandle.standardError.write(Data(report.errors.utf8))
    return report.isGood ? .ok : .failed
  }

  /// What the command prints. A product that cannot be read refuses its whole file; every file is looked at.
  struct Report {
    var output = ""
    var errors = ""
    var isGood = true
  }

  static func report(_ files: [String], asJSON: Bool = false) -> Report {
    var report = Report()
    for file in files {
      do {
        let catalog = try Catalog.load(contentsOf: URL(filePath: file))
        for warning in catalog.warnings { report.errors += "\(file): warning: \(warning).\n" }
        if asJSON {
          report.output += try encode(catalog)
        } else {
          if files.count > 1 { report.output += (report.output.isEmpty ? "" : "\n") + "\(file)\n\n" }
          report.output += CatalogTable(catalog).lines.map { $0 + "\n" }.joined()
        }
      } catch let error as CatalogError {
        report.errors += error.lines.map { $0 + "\n" }.joined()
        report.isGood = false
      } catch {
        report.errors += "\(file): the catalogue cannot be printed as JSON (\(error)).\n"
        report.isGood = false
      }
    }
    return report
  }

  private static func encode(_ catalog: Catalog) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(catalog), as: UTF8.self) + "\n"
  }
}
