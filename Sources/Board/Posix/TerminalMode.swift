import CLinux

/// A terminal in raw mode, and how it was before.
struct TerminalMode {
  private let number: Int32
  private var original: termios

  /// Hands keys over one by one and unechoed; a written `\n` still starts a new line at its left end. Ctrl-C still
  /// interrupts; the keys that quit or suspend are off, for they would leave the terminal as it is now.
  /// - Returns: nil when the terminal refuses.
  init?(rawOn number: Int32) {
    self.number = number
    original = termios()
    guard unsafe tcgetattr(number, &original) == 0 else { return nil }
    var raw = original
    unsafe cfmakeraw(&raw)
    raw.c_lflag |= tcflag_t(ISIG)
    raw.c_oflag |= tcflag_t(OPOST | ONLCR)
    unsafe linux_disable_key(&raw, VQUIT)
    unsafe linux_disable_key(&raw, VSUSP)
    guard unsafe tcsetattr(number, TCSANOW, &raw) == 0 else { return nil }
  }

  func restore() {
    var original = original
    unsafe tcsetattr(number, TCSANOW, &original)
  }
}
