import Foundation
import Shared

/// A place in the history of an account, as clients keep it: opaque, and good for that history alone.
struct Revision: Hashable {
  /// Which list it is a place in.
  enum List: UInt8 {
    case ascending = 1
    case descending = 2
    case refunds = 3
  }

  var list: List
  /// The account's number, which no other account gets.
  var ordinal: UInt64
  /// The change after which the list goes on; nil for its start.
  var change: UInt64?

  init(_ list: List, ordinal: UInt64, change: UInt64?) {
    self.list = list
    self.ordinal = ordinal
    self.change = change
  }

  private static let version: UInt8 = 1
  private static let bodyCount = 18
  /// Tells a slip of the pen, not a forgery: a made-up place in one's own history does no harm.
  private static let checkCount = 6

  /// - Throws: `invalidRequestRevision` for what is no place in this list of this account.
  init(_ text: String, list: List, ordinal: UInt64) throws(APIError) {
    guard text.utf8.count <= 64, let bytes = Base64URL.decode(Data(text.utf8)).map({ Array($0) }),
      bytes.count == Revision.bodyCount + Revision.checkCount, bytes[0] == Revision.version, bytes[1] == list.rawValue,
      Array(bytes[Revision.bodyCount...]) == Revision.check(Array(bytes[..<Revision.bodyCount])),
      Revision.number(bytes[2..<10]) == ordinal
    else { throw .invalidRequestRevision }
    self.list = list
    self.ordinal = ordinal
    let place = Revision.number(bytes[10..<18])
    change = place == 0 ? nil : place
  }

  var text: String {
    var bytes = [Revision.version, list.rawValue]
    for number in [ordinal, change ?? 0] { withUnsafeBytes(of: number.bigEndian) { bytes += Array($0) } }
    return Base64URL.encode(Data(bytes + Revision.check(bytes)))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  /// FNV-1a.
  private static func check(_ bytes: [UInt8]) -> [UInt8] {
    let hash = bytes.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return withUnsafeBytes(of: hash.bigEndian) { Array($0.prefix(checkCount)) }
  }
}
