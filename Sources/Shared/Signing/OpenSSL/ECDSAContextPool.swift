import COpenSSL
import Synchronization

/// Prepared operation contexts of one key, each used by one caller at a time.
///
/// Preparing a context makes OpenSSL look up the algorithm, a sizeable part of the cost of a signature, so contexts are
/// kept. There are never more than there were callers at once.
final class ECDSAContextPool: Sendable {
  /// One prepared `EVP_PKEY_CTX`.
  ///
  /// Sendable by `@unchecked`: the pool gives each context to one caller, who alone uses it until it is given back under
  /// the pool's lock.
  final class Context: @unchecked Sendable {
    private let context: OpenSSLHandle
    var pointer: OpaquePointer { context.pointer }

    fileprivate init(_ context: consuming OpenSSLHandle) { self.context = context }
  }

  private let idle = Mutex<[Context]>([])
  /// Safe because the `EVP_PKEY` behind it is only read, which OpenSSL allows to many threads.
  private nonisolated(unsafe) let key: OpaquePointer
  private let prepare: @convention(c) (OpaquePointer?) -> Int32

  /// `key` is an `EVP_PKEY` that outlives the pool; `prepare` is `EVP_PKEY_sign_init` or `EVP_PKEY_verify_init`.
  init(key: OpaquePointer, prepare: @convention(c) (OpaquePointer?) -> Int32) {
    self.key = key
    self.prepare = prepare
  }

  func take() throws(SigningError) -> Context {
    if let context = idle.withLock({ $0.popLast() }) { return context }
    let operation = "prepare an ECDSA operation"
    let context = try OpenSSLHandle.owning(
      EVP_PKEY_CTX_new_from_pkey(nil, key, nil), free: EVP_PKEY_CTX_free, to: operation)
    try SigningError.check(prepare(context.pointer), to: operation)
    return Context(context)
  }

  /// Takes back a context whose operation has ended. One that failed in an unforeseen way is better dropped.
  func giveBack(_ context: Context) {
    idle.withLock { $0.append(context) }
  }
}
