import Wire

/// The lines that point Apple's server libraries at a world: the base URL is no parameter of theirs, so each library is
/// told in its own way.
struct LibraryLines {
  private let keys: ServerKeys
  private let files: ServerKeys.Files

  init(_ keys: ServerKeys, _ files: ServerKeys.Files) {
    self.keys = keys
    self.files = files
  }

  var byLanguage: [String: String] { ["python": python, "node": node, "swift": swift, "java": java] }

  var text: String {
    """
    Python, app-store-server-library:

    \(python)

    Node, @apple/app-store-server-library:

    \(node)

    Swift, app-store-server-library-swift:

    \(swift)

    Java, app-store-server-library:

    \(java)
    """
  }

  private var url: String { keys.ownURL ?? "http://HOST:PORT/\(keys.world)/sandbox" }
  private var isProduction: Bool { keys.reply.environment == "Production" }
  /// Apple's clients know nothing of Xcode.
  private var environment: String { isProduction ? "PRODUCTION" : "SANDBOX" }
  /// The verifier checks the environment that is signed.
  private var signedEnvironment: String {
    switch keys.reply.environment {
    case "Production": "PRODUCTION"
    case "Xcode": "XCODE"
    case "LocalTesting": "LOCAL_TESTING"
    default: "SANDBOX"
    }
  }
  private var appId: String? { keys.reply.appAppleId.map { String($0) } }

  /// Over TLS the certificates name no responder, and Xcode's have none.
  private var checksOnline: Bool { url.hasPrefix("http://") && keys.reply.environment != "Xcode" }

  private var python: String {
    """
    from appstoreserverlibrary.api_client import AppStoreServerAPIClient
    from appstoreserverlibrary.models.Environment import Environment
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

    client = AppStoreServerAPIClient(
        open("\(files.privateKey)", "rb").read(), "\(keys.reply.keyId)", "\(keys.reply.issuerId)",
        "\(keys.reply.bundleId)", Environment.\(environment))
    client._base_url = "\(url)"
    verifier = SignedDataVerifier(
        [open("\(files.rootDER)", "rb").read()], \(checksOnline ? "True" : "False"),
        Environment.\(signedEnvironment), "\(keys.reply.bundleId)", \(appId ?? "None"))
    """
  }

  private var node: String {
    """
    import { readFileSync } from "node:fs"
    import { AppStoreServerAPIClient, Environment, SignedDataVerifier } from "@apple/app-store-server-library"

    const client = new AppStoreServerAPIClient(
      readFileSync("\(files.privateKey)", "utf8"), "\(keys.reply.keyId)", "\(keys.reply.issuerId)",
      "\(keys.reply.bundleId)", Environment.\(environment))
    client.urlBase = "\(url)"  // in TypeScript: (client as any).urlBase
    const verifier = new SignedDataVerifier(
      [readFileSync("\(files.rootDER)")], \(checksOnline), Environment.\(signedEnvironment), "\(keys.reply.bundleId)", \
    \(appId ?? "undefined"))
    """
  }

  private var swift: String {
    let word = isProduction ? "production" : "sandbox"
    let signed =
      switch signedEnvironment {
      case "PRODUCTION": "production"
      case "XCODE": "xcode"
      case "LOCAL_TESTING": "localTesting"
      default: "sandbox"
      }
    return """
      import AsyncHTTPClient
      import Foundation
      @testable import AppStoreServerLibrary  // the client's host is fixed, but for tests

      final class StorefleetClient: AppStoreServerAPIClient {
        override func executeRequest(_ request: HTTPClientRequest, _ body: Data?) async throws -> HTTPClientResponse {
          var request = request
          if let path = request.url.range(of: "/inApps/") {
            request.url = "\(url)" + request.url[path.lowerBound...]
          }
          return try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        }
      }
      let client = try StorefleetClient(
        signingKey: String(contentsOfFile: "\(files.privateKey)", encoding: .utf8), keyId: "\(keys.reply.keyId)",
        issuerId: "\(keys.reply.issuerId)", bundleId: "\(keys.reply.bundleId)", environment: .\(word))
      let verifier = try SignedDataVerifier(
        rootCertificates: [Data(contentsOf: URL(filePath: "\(files.rootDER)"))], bundleId: "\(keys.reply.bundleId)",
        appAppleId: \(appId ?? "nil"), environment: .\(signed), enableOnlineChecks: \(checksOnline))
      """
  }

  private var java: String {
    """
    import com.apple.itunes.storekit.client.AppStoreServerAPIClient;
    import com.apple.itunes.storekit.model.Environment;
    import com.apple.itunes.storekit.verification.SignedDataVerifier;
    import java.io.*;
    import java.nio.file.*;
    import java.util.Set;
    import okhttp3.*;

    AppStoreServerAPIClient client = new AppStoreServerAPIClient(
        Files.readString(Path.of("\(files.privateKey)")), "\(keys.reply.keyId)", "\(keys.reply.issuerId)",
        "\(keys.reply.bundleId)", Environment.\(environment)) {
      @Override protected Response getResponse(Request request) throws IOException {
        String target = request.url().toString();
        String url = "\(url)" + target.substring(target.indexOf("/inApps/"));
        return new OkHttpClient().newCall(request.newBuilder().url(url).build()).execute();
      }
    };
    SignedDataVerifier verifier = new SignedDataVerifier(
        Set.of(new FileInputStream("\(files.rootDER)")), "\(keys.reply.bundleId)", \(appId.map { "\($0)L" } ?? "null"),
        Environment.\(signedEnvironment), \(checksOnline));
    """
  }
}
