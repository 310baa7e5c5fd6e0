import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.starts(with: ["catalog", "check"]) { exit(CatalogCheck.run(Array(arguments.dropFirst(2)))) }
print("storefleet")
