import Wire

extension TamperCopies.Fault {
  /// Whether only who signs can do it.
  var isTheSigners: Bool {
    switch self {
    case .foreignRoot, .wrongBundle: true
    case .tampered, .unparsable: false
    }
  }

  /// The compact JWS with this fault.
  func applied(to jws: String) -> String {
    switch self {
    case .foreignRoot, .wrongBundle: return jws
    case .unparsable: return jws.replacing(".", with: "")
    case .tampered:
      // One character of the payload, in the middle, so that it stays Base64 of the same length.
      guard let start = jws.firstIndex(of: "."), let end = jws.lastIndex(of: "."), start < end else { return jws }
      let payload = jws[jws.index(after: start)..<end]
      guard !payload.isEmpty else { return jws }
      let place = payload.index(payload.startIndex, offsetBy: payload.count / 2)
      return String(jws[..<place]) + (jws[place] == "A" ? "B" : "A") + String(jws[jws.index(after: place)...])
    }
  }
}
