import COpenSSL
import Foundation

/// How many P-256 signatures OpenSSL makes in a second on one thread: the limit of answers that are not signed yet.
enum SigningRate {
  static func measure(seconds: Double) -> Double {
    guard let make = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { fatalError("OpenSSL makes no key") }
    defer { EVP_PKEY_CTX_free(make) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(make) == 1, EVP_PKEY_CTX_set_group_name(make, "prime256v1") == 1,
      EVP_PKEY_generate(make, &key) == 1, let context = EVP_PKEY_CTX_new(key, nil), EVP_PKEY_sign_init(context) == 1
    else { fatalError("OpenSSL makes no key") }
    defer {
      EVP_PKEY_CTX_free(context)
      EVP_PKEY_free(key)
    }
    let digest = [UInt8](repeating: 7, count: 32)
    var signature = [UInt8](repeating: 0, count: 72)
    var count = 0
    let began = ContinuousClock.now
    while ContinuousClock.now - began < .seconds(seconds) {
      for _ in 0..<100 {
        var length = signature.count
        guard EVP_PKEY_sign(context, &signature, &length, digest, digest.count) == 1 else {
          fatalError("OpenSSL does not sign")
        }
      }
      count += 100
    }
    return Double(count) / ((ContinuousClock.now - began) / .seconds(1))
  }
}
