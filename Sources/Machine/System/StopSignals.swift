import CLinux

/// SIGTERM, SIGINT and SIGHUP (a closed terminal), polled by the loop: they are blocked, so that they interrupt no system
/// call and need no handler, and stay pending.
package struct StopSignals: ~Copyable {
  /// Call before the first thread is started: threads inherit what is blocked. SIGPIPE is ignored from here on: a reader
  /// that goes away must not end the program.
  package init() {
    var stops = sigset_t()
    unsafe sigemptyset(&stops)
    unsafe sigaddset(&stops, SIGTERM)
    unsafe sigaddset(&stops, SIGINT)
    // Under `nohup` SIGHUP stays ignored; blocking it would end the program.
    if linux_ignores(SIGHUP) == 0 { unsafe sigaddset(&stops, SIGHUP) }
    unsafe pthread_sigmask(SIG_BLOCK, &stops, nil)
    linux_ignore_broken_pipes()
  }

  /// Whether the process was asked to end.
  package var isStopRequested: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
      || sigismember(&pending, SIGHUP) == 1
  }
}
