import ClientNode
import Foundation
import Shared
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct AppTransactionTests {
  private let daemon = FakeDaemon()

  @Test func theAppsOwnTransactionIsAsInTheSandbox() async throws {
    daemon.put(SignedAppTransaction(jws: JWS.appTransaction(), failure: nil))
    let result = try await on(daemon) { try await AppTransaction.shared }
    let app = try result.payloadValue
    #expect(app.bundleID == "com.example.app")
    #expect(app.environment == .sandbox)
    #expect(app.originalAppVersion == "1.0")
    #expect(app.originalPurchaseDate == Date(timeIntervalSince1970: 1_375_340_400))
    #expect(app.appID == nil)
    #expect(app.appTransactionID == "704000000000000001")
    #expect(app.originalPlatform == .iOS)
    #expect(app.preorderDate == nil)
    #expect(result.signedDate == app.signedDate)
    #expect(result.payloadData == app.jsonRepresentation)
    #expect(daemon.calls == [.load, .appTransaction(refresh: false)])
  }

  @Test func refreshAsksTheStore() async throws {
    daemon.put(SignedAppTransaction(jws: JWS.appTransaction(), failure: nil))
    _ = try await on(daemon) { try await AppTransaction.refresh() }
    #expect(daemon.calls == [.appTransaction(refresh: true)])
  }

  @Test func aFalseOneIsUnverified() async throws {
    daemon.put(SignedAppTransaction(jws: "nonsense", failure: .invalidEncoding))
    let result = try await on(daemon) { try await AppTransaction.shared }
    guard case .unverified(let app, .invalidEncoding) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(app.bundleID == "com.example.app")
  }

  @Test func withoutOneAndWithoutAStoreItThrows() async {
    await #expect {
      try await on(daemon) { _ = try await AppTransaction.shared }
    } throws: { error in
      if case StoreKitError.networkError = error { true } else { false }
    }
  }
}
