import Foundation

/// An account's event as JSON. What of it is stored or published elsewhere too is cut out and not written again.
struct WrittenAccountEvent: Sendable {
  /// As the journal keeps it.
  var body: Data
  /// The lists of the body, brackets included; nil where they are empty or cannot be cut out.
  var records: Data?
  var renewalInfos: Data?

  /// The transaction of an event that has only one.
  var onlyRecord: Data? { records.map { $0.dropFirst().dropLast() } }
}
