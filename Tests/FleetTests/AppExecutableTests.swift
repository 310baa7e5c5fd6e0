import Fleet
import Foundation
import Testing

/// What can be said of an app before it is started.
struct AppExecutableTests {
  private func message(_ path: String) -> String {
    do throws(FleetError) {
      _ = try AppExecutable(path: path)
      return "no error"
    } catch {
      return error.message
    }
  }

  @Test func aPathThatNamesNothingIsSaid() {
    #expect(message("/nowhere/MyApp").contains("there is no app '/nowhere/MyApp'"))
  }

  @Test func aFolderIsNoApp() {
    #expect(message("/tmp").contains("name the executable in it"))
  }

  @Test func aFileThatMayNotBeExecutedIsNoApp() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/app"
    try Data().write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(message(path).contains("may not be executed"))
  }

  @Test func aRelativePathIsThatOfThisFolder() throws {
    let app = try AppExecutable(path: "/usr/bin/../bin/true")
    #expect(app.path == "/usr/bin/true")
    #expect(app.sharing == nil)
  }

  @Test func whatPackedDevicesShareIsSaid() throws {
    #expect(try AppExecutable(path: "/bin/true", devicesPerProcess: 5).sharing?.contains("UserDefaults") == true)
  }
}
