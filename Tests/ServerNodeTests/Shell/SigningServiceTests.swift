import Foundation
import Shared
import Testing

@testable import ServerNode

@Suite struct SigningServiceTests {
  @Test func folderOfANodeThatKeepsNothingGoesWithIt() async throws {
    let folder = JournalTestFolder()
    let home = folder.path + "/keys"
    let service = SigningService(folder: home, subfolder: "authorities")
    let root = await withCheckedContinuation { continuation in
      service.open("w") { continuation.resume(returning: $0) }
    }
    #expect(try !root.get().isEmpty)
    let file = home + "/authorities/w.pem"
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    service.removeFolder()
    #expect(!FileManager.default.fileExists(atPath: home))
  }
}
