package import Foundation

/// A key's file is its `.p8` with two lines above it, which readers of PEM pass over:
///
///     Key ID: 2X9R4HXF34
///     Issuer ID: 57246542-96fe-1a63-e053-0824d011072a
///     -----BEGIN PRIVATE KEY-----
///     …
extension APIKey {
  private static let idLabel = "Key ID: "
  private static let issuerLabel = "Issuer ID: "

  /// Writes the key to a file that only its owner may read (mode 0600).
  package func save(to url: URL) throws(SigningError) {
    let text = "\(Self.idLabel)\(id)\n\(Self.issuerLabel)\(issuer)\n" + (try privateKeyPEM())
    try KeyFile.write(Data(text.utf8), to: url, operation: "save an API key to \(url.path)")
  }

  /// Reads the key from a file that ``save(to:)`` wrote.
  package static func load(from url: URL) throws(SigningError) -> APIKey {
    let operation = "load an API key from \(url.path)"
    let text = String(decoding: try KeyFile.read(url, operation: operation), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    func value(_ label: String) -> Substring? { lines.first { $0.hasPrefix(label) }?.dropFirst(label.count) }
    guard let id = value(idLabel), id.utf8.count == 10, let issuer = value(issuerLabel).map(String.init),
      let issuerId = UUID(uuidString: issuer)
    else {
      throw SigningError(
        operation: operation,
        reason: "it must say '\(idLabel)' with ten characters and '\(issuerLabel)' with a UUID above the key. "
          + "Restore the file from a backup, or remove it to get a new key.")
    }
    let keys = try PEM.keys(in: text)
    guard keys.count == 1 else {
      throw SigningError(
        operation: operation,
        reason: "it holds \(keys.count) P-256 private keys, not one. "
          + "Restore the file from a backup, or remove it to get a new key.")
    }
    return APIKey(id: String(id), issuerId: issuerId, key: keys[0])
  }
}
