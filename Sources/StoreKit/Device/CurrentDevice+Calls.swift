import ClientNode
import Foundation
import Synchronization

/// What calls do where there is no device: as at Apple without a store to talk to, they find nothing, and a test run goes
/// on. Several devices, and no word on which is meant, are another matter.
extension CurrentDevice {
  /// For calls that throw.
  static func orThrow() throws(StoreKitError) -> any StoreDaemon {
    do {
      return try find()
    } catch {
      if case .none = error { noteAbsence(error) }
      throw .systemError(error)
    }
  }

  /// For calls that cannot throw: nil where no device runs, which is said once. Traps where there are several: an answer
  /// from a guessed device would look like an answer, and so would an empty one.
  static func orNothing() -> (any StoreDaemon)? {
    do {
      return try find()
    } catch .none {
      noteAbsence(.none)
      return nil
    } catch {
      fatalError(error.description)
    }
  }

  private static let wasSaid = Atomic(false)

  /// One line on standard error: code that is made to find nothing calls often.
  private static func noteAbsence(_ absence: NoDevice) {
    guard wasSaid.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
    let line = "storefleet: \(absence.description). Until then it finds nothing: no products, no transactions\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
