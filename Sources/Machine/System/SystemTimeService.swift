import Base
import CLinux
import Wire

/// systemd's time service, through `timedatectl`: it sets the clock for callers without the privilege, if polkit allows
/// it, and also writes the time to the battery-backed clock.
package struct SystemTimeService: TimeServiceDriver, ~Copyable {
  private let program: FixedText<128>
  private let patienceNanoseconds: UInt64

  /// - Parameters:
  ///   - program: searched for in the usual folders unless it is a path; must not contain a space.
  ///   - patienceNanoseconds: the timeout: the system bus starts the service on request, which takes a second or two on
  ///     a Raspberry Pi.
  package init(program: FixedText<128> = "timedatectl", patienceNanoseconds: UInt64 = 8_000_000_000) {
    self.program = program
    self.patienceNanoseconds = patienceNanoseconds
  }

  /// Runs the program and waits until it ends.
  @export(interface)
  package mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceReply {
    var words = ProgramWords()
    words.append("sh" as FixedText<256>)
    words.append("-c" as FixedText<256>)
    // The shell finds the program, and sends its output to the socket.
    words.append("exec \(program) --no-ask-password set-time @\(unixSeconds) >&3 2>&3" as FixedText<256>)
    guard var process = ChildProcess("/bin/sh", &words, inherits: -1) else {
      throw failure("cannot be reached", "raise TasksMax and LimitNPROC in the service")
    }
    let said = Self.listen(to: process, nanoseconds: patienceNanoseconds)
    guard let said else { throw failure("does not answer", "try again, or set the clock with date as root") }
    switch process.end() {
    case .exit(0): return .done
    case .exit(126), .exit(127):
      throw failure("does not exist", "install systemd's timedatectl, or set the clock with date as root")
    case .exit, .signal: return .refused(said)
    }
  }

  /// - Returns: the first line that the process prints before it ends; nil if it does not end in time.
  static func listen(to process: borrowing ChildProcess, nanoseconds patienceNanoseconds: UInt64) -> FixedText<256>? {
    var said = FixedText<256>()
    let deadline = Instant.now + patienceNanoseconds
    while true {
      var memory = InlineArray<256, UInt8>(repeating: 0)
      var span = memory.mutableSpan
      var buffer = unsafe span.mutableBytes
      let now = Instant.now
      switch process.link.receive(into: &buffer, waitNanoseconds: deadline > now ? deadline - now : 0) {
      case .end: return said
      case .nothing: return nil
      case .packet(let byteCount):
        if said.isEmpty { said = firstLine(memory.span.extracting(first: min(byteCount, memory.count))) }
      }
    }
  }

  private static func firstLine(_ text: Span<UInt8>) -> FixedText<256> {
    var end = 0
    while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
    return FixedText<256>(text.extracting(first: end)).printable
  }

  private func failure(_ problem: StaticString, _ remedy: StaticString) -> DeviceFailure {
    DeviceFailure(device: .timeService, kind: .failed, subject: "", problem: problem, remedy: remedy)
  }
}

/// The system's clocks.
package struct MonotonicClock: ClockDriver, ~Copyable {
  /// The clocks need no opening.
  package init() {}

  /// `CLOCK_MONOTONIC`.
  package var now: Instant { .now }

  /// `CLOCK_REALTIME`.
  package var unixNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  /// Synchronised if the kernel says so (`STA_UNSYNC` of `adjtimex`).
  package var source: ClockSource { ClockSource(isSynchronised: error != nil, unixSeconds: unixSeconds) }

  /// As the kernel reports: the bound grows by itself until a time server is heard again.
  package var error: ClockError? {
    var state = timex()
    guard unsafe adjtimex(&state) >= 0, state.status & STA_UNSYNC == 0 else { return nil }
    return ClockError(
      mostNanoseconds: UInt64(clamping: state.maxerror) * 1000,
      likelyNanoseconds: UInt64(clamping: state.esterror) * 1000)
  }

  /// `CLOCK_BOOTTIME` less `CLOCK_MONOTONIC`, which are read one after the other.
  package var suspendedNanoseconds: UInt64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &now)
    return Instant(UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)).distance(since: .now)
  }

  /// Sleeps until an absolute time, so that delays do not add up.
  package mutating func sleep(until instant: Instant) {
    var wake = timespec(nanoseconds: instant.rawValue)
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nil) == EINTR {}
  }
}

extension Instant {
  /// The current time on the system's clock, for threads that own no ``Clock``.
  package static var now: Instant {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Instant(UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec))
  }
}

extension timespec {
  init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
