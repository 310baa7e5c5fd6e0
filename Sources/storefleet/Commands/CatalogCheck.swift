import Foundation
import Shared

/// `storefleet catalog check`: says what a StoreKit configuration file sells, or why it cannot be loaded.
enum CatalogCheck {
  static let usage = """
    Usage: storefleet catalog check [--json] FILE…

    Checks StoreKit configuration files (.storekit, versions 1.0 to 5.0) and prints what they sell.
    A product that cannot be read refuses its whole file; every mistake is listed, one a line.

    Options:
      --json      print each good file's catalogue as a JSON document, in the order of the files
      -h, --help  print this text

    Exit status: 0 every file is good, 1 a file has mistakes or cannot be read, 2 the command line is wrong.
    """

  /// Prints the outcome and returns the exit status.
  ///
  /// - Parameter arguments: what follows `catalog check`.
  static func run(_ arguments: [String]) -> Int32 {
    let report = report(arguments)
    FileHandle.standardOutput.write(Data(report.output.utf8))
    FileHandle.standardError.write(Data(report.errors.utf8))
    return report.status
  }

  /// What `run` prints and returns.
  struct Report {
    var output = ""
    var errors = ""
    var status: Int32 = 0
  }

  static func report(_ arguments: [String]) -> Report {
    var files: [String] = []
    var isJSON = false
    var onlyFiles = false
    for argument in arguments {
      switch argument {
      case _ where onlyFiles: files.append(argument)
      case "-h", "--help": return Report(output: usage + "\n")
      case "--json": isJSON = true
      case "--": onlyFiles = true
      case _ where argument.hasPrefix("-"): return usageError("unknown option \(argument)")
      default: files.append(argument)
      }
    }
    guard !files.isEmpty else { return usageError("no file is given") }
    var report = Report()
    for (index, file) in files.enumerated() {
      do {
        let catalog = try Catalog.load(contentsOf: URL(filePath: file))
        for warning in catalog.warnings { report.errors += "\(file): warning: \(warning).\n" }
        if isJSON {
          report.output += try json(catalog)
        } else {
          if files.count > 1 { report.output += (index == 0 ? "" : "\n") + "\(file)\n\n" }
          report.output += CatalogTable(catalog).lines.map { $0 + "\n" }.joined()
        }
      } catch let error as CatalogError {
        report.errors += error.lines.map { $0 + "\n" }.joined()
        report.status = 1
      } catch {
        report.errors += "\(file): the catalogue cannot be printed as JSON (\(error)).\n"
        report.status = 1
      }
    }
    return report
  }

  private static func json(_ catalog: Catalog) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(catalog), as: UTF8.self) + "\n"
  }

  private static func usageError(_ text: String) -> Report {
    Report(errors: "storefleet catalog check: \(text).\n\n\(usage)\n", status: 2)
  }
}
