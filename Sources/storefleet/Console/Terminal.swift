import Glibc

/// The terminal that standard output goes to.
enum Terminal {
  /// Its width in cells; nil when standard output is no terminal.
  static var width: Int? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
