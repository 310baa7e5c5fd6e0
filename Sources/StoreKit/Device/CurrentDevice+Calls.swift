import ClientNode

extension CurrentDevice {
  /// For calls that throw.
  static func orThrow() throws(StoreKitError) -> any StoreDaemon {
    do {
      return try find()
    } catch {
      throw .systemError(error)
    }
  }

  /// For calls that cannot throw: an answer from a guessed device, or an empty one, would look like an answer.
  static func orTrap() -> any StoreDaemon {
    do {
      return try find()
    } catch {
      fatalError(error.description)
    }
  }
}
