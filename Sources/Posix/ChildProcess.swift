import Board
import CLinux
import Text

/// A process that this one started. It does not outlive the value.
@usableFromInline
struct ChildProcess: ~Copyable {
  /// 0 once the process is gone.
  private var number: pid_t

  /// The number by which a program that is started finds its first inherited descriptor.
  static var firstInherited: Int32 { Int32(linux_first_inherited) }
  /// Likewise its second.
  static var secondInherited: Int32 { Int32(linux_second_inherited) }

  /// Starts `program`, which inherits two descriptors and nothing else that is closed on exec.
  /// - Parameter second: -1 for none.
  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?(_ program: borrowing FixedText<256>, _ words: inout ProgramWords, inherits first: Int32, _ second: Int32) {
    let started = unsafe program.withCString { program in
      unsafe words.withPointers { unsafe linux_start_program(program, $0, first, second) }
    }
    guard started > 0 else { return nil }
    number = started
  }

  /// For tests, and for whoever looks at `/proc`.
  var processNumber: Int32 { number }

  /// Ends the process, unless it ends within `graceNanoseconds`, and tells how it ended.
  mutating func end(graceNanoseconds: UInt64) -> ProcessEnding {
    var status: Int32 = 0
    var isReaped = false
    let deadline = monotonicNanosecondsNow() + graceNanoseconds
    while !isReaped, monotonicNanosecondsNow() < deadline {
      isReaped = unsafe waitpid(number, &status, WNOHANG) == number
      if !isReaped { pause() }
    }
    if !isReaped { status = killAndReap() }
    number = 0
    return ProcessEnding(status: status)
  }

  deinit {
    if number > 0 { _ = killAndReap() }
  }

  /// Waits as long as a stalled card holds the process: one that is inside a read of it ends only then.
  private func killAndReap() -> Int32 {
    kill(number, SIGKILL)
    var status: Int32 = 0
    _ = retryingWhenInterrupted { unsafe Int(waitpid(number, &status, 0)) }
    return status
  }

  private func pause() {
    var moment = timespec(nanoseconds: 1_000_000)
    unsafe nanosleep(&moment, nil)
  }
}
