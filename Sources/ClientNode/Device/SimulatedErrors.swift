import Wire

/// The parts of StoreKit that fail on a phone.
struct SimulatedErrors: Sendable {
  private var errors: [FailableAPI: SetSimulatedError] = [:]

  var isEmpty: Bool { errors.isEmpty }
  var list: [SetSimulatedError] { errors.values.sorted { $0.api.rawValue < $1.api.rawValue } }

  mutating func set(_ error: SetSimulatedError) { errors[error.api] = error.failure == nil ? nil : error }

  /// How the next call fails; nil when it does not. It counts.
  mutating func take(_ api: FailableAPI) -> SimulatedFailure? {
    // The common case: nothing is hashed.
    guard !errors.isEmpty, let error = errors[api] else { return nil }
    if let times = error.times { errors[api]?.times = times - 1 }
    if error.times == 1 { errors[api] = nil }
    return error.failure
  }
}
