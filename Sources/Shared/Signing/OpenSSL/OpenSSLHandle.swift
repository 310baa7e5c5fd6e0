/// Owns one OpenSSL object and frees it with the function that its type has for that.
struct OpenSSLHandle: ~Copyable {
  typealias Free = @convention(c) (OpaquePointer?) -> Void

  /// Valid for as long as the handle lives.
  let pointer: OpaquePointer
  private let free: Free

  /// Takes over an object that the caller owns.
  init(owning pointer: OpaquePointer, free: Free) {
    self.pointer = pointer
    self.free = free
  }

  /// Takes over what an OpenSSL constructor gave, or throws the reason why it gave nothing.
  static func owning(
    _ pointer: OpaquePointer?, free: Free, to operation: @autoclosure () -> String
  ) throws(SigningError) -> OpenSSLHandle {
    guard let pointer else { throw SigningError(openSSL: operation()) }
    return OpenSSLHandle(owning: pointer, free: free)
  }

  deinit { free(pointer) }
}
