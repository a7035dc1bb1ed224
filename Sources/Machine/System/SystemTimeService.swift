import Base
import CLinux
import Wire

/// systemd's time service, through `timedatectl`: it sets the clock on behalf of who has no right to, if polkit allows it,
/// and writes it to the battery-backed clock as well.
package struct SystemTimeService: TimeServiceDriver, ~Copyable {
  private let program: FixedText<128>
  private let patienceNanoseconds: UInt64

  /// - Parameters:
  ///   - program: looked for in the usual folders unless it is a path, which has no space.
  ///   - patienceNanoseconds: how long it may take: the system bus starts the service when it is asked, which takes a
  ///     Raspberry Pi a second or two.
  package init(program: FixedText<128> = "timedatectl", patienceNanoseconds: UInt64 = 8_000_000_000) {
    self.program = program
    self.patienceNanoseconds = patienceNanoseconds
  }

  /// Runs the program, and waits for its end.
  package mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceAnswer {
    var words = ProgramWords()
    words.append("sh" as FixedText<256>)
    words.append("-c" as FixedText<256>)
    // The shell finds the program, and sends what it says to the socket.
    words.append("exec \(program) --no-ask-password set-time @\(unixSeconds) >&3 2>&3" as FixedText<256>)
    guard var process = ChildProcess("/bin/sh", &words, inherits: -1) else {
      throw failure("cannot be reached", "raise TasksMax and LimitNPROC in the service")
    }
    let said = listen(to: process)
    guard let said else { throw failure("does not answer", "try again, or set the clock with date as root") }
    switch process.end() {
    case .exit(0): return .done
    case .exit(126), .exit(127):
      throw failure("does not exist", "install systemd's timedatectl, or set the clock with date as root")
    case .exit, .signal: return .refused(said)
    }
  }

  /// - Returns: the first line that the process says before it ends; nil if it does not end in time.
  private func listen(to process: borrowing ChildProcess) -> FixedText<256>? {
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

  private func firstLine(_ text: Span<UInt8>) -> FixedText<256> {
    var end = 0
    while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
    return FixedText<256>(text.extracting(first: end)).printable
  }

  private func failure(_ problem: StaticString, _ remedy: StaticString) -> DeviceFailure {
    DeviceFailure(device: .timeService, kind: .failed, subject: "", problem: problem, remedy: remedy)
  }
}
