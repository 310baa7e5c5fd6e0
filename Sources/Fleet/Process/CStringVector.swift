import Glibc

/// A null-terminated array of C strings, as `posix_spawn` takes arguments and environment.
struct CStringVector: ~Copyable {
  private var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) {
    pointers = strings.map { strdup($0) } + [nil]
  }

  deinit {
    for pointer in pointers { free(pointer) }
  }

  /// The array is good for the length of `body` only.
  func withPointers<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
    pointers.withUnsafeBufferPointer { buffer in
      // Never empty: it holds the terminator at least.
      body(buffer.baseAddress.unsafelyUnwrapped)
    }
  }
}
