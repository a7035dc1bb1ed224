import CLinux

/// SIGTERM, SIGINT and SIGHUP, by which a terminal says that it was closed, as a question that the loop asks: they are
/// blocked, so that they break off no system call and need no handler, and stay pending until asked for.
public struct StopSignals: ~Copyable {
  /// Call before the first thread is started: threads inherit what is blocked. From here on SIGPIPE is ignored too, for
  /// a reader that goes away is no reason to end.
  public init() {
    var stops = sigset_t()
    unsafe sigemptyset(&stops)
    unsafe sigaddset(&stops, SIGTERM)
    unsafe sigaddset(&stops, SIGINT)
    // Whoever started it with `nohup` wants it to go on; what is blocked would not be ignored.
    if linux_ignores(SIGHUP) == 0 { unsafe sigaddset(&stops, SIGHUP) }
    unsafe pthread_sigmask(SIG_BLOCK, &stops, nil)
    linux_ignore_broken_pipes()
  }

  /// Whether somebody has asked the process to end.
  public var isStopRequested: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
      || sigismember(&pending, SIGHUP) == 1
  }
}
