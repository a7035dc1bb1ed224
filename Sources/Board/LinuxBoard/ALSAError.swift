import CLinux

/// What alsa-lib answered: an `errno`, or one of its own numbers above those.
struct ALSAError: Error {
  var systemErrorNumber: Int32

  /// - Parameter result: negative, as its functions return it.
  init(result: Int) { systemErrorNumber = Int32(truncatingIfNeeded: -result) }

  /// Whether the card only stopped, for want of whoever serves it or because the machine slept: it can be started anew.
  var isInterruption: Bool { systemErrorNumber == EPIPE || systemErrorNumber == ESTRPIPE }
}
