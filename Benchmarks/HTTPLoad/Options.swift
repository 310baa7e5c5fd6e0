/// A value on the command line, after its name; `standard` where it is not given.
package func option(_ name: String, _ standard: Double) -> Double {
  guard let index = CommandLine.arguments.firstIndex(of: name) else { return standard }
  guard let value = CommandLine.arguments.dropFirst(index + 1).first.flatMap(Double.init), value > 0 else {
    fatalError("\(name) needs a number above 0")
  }
  return value
}

/// Of a list that is not empty.
package func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
