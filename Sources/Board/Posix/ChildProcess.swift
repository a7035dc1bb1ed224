import Port
import CLinux
import Text

/// A process that this one started, and a socket between the two. It does not outlive the value.
@usableFromInline
struct ChildProcess: ~Copyable {
  /// The socket of a process that ends is closed a moment before it can be asked how it ended.
  private static var endingNanoseconds: UInt64 { 200_000_000 }

  /// This one's end of the socket.
  let link: PacketLink
  /// 0 once the process is gone.
  private var number: pid_t

  /// The number by which a program that is started finds its first inherited descriptor.
  static var firstInherited: Int32 { Int32(linux_first_inherited) }
  /// Likewise its second.
  static var secondInherited: Int32 { Int32(linux_second_inherited) }

  /// Starts `program`, which inherits the other end of the socket, then `memory`, and nothing else that is closed on
  /// exec.
  /// - Parameter memory: a descriptor; -1 for none.
  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?(_ program: borrowing FixedText<256>, _ words: inout ProgramWords, inherits memory: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    guard unsafe linux_packet_pair(&ends.0, &ends.1) == 0 else { return nil }
    let ours = FileDescriptor(owning: ends.0)
    let theirs = FileDescriptor(owning: ends.1)
    let started = unsafe program.withCString { program in
      unsafe words.withPointers { unsafe linux_start_program(program, $0, theirs.number, memory) }
    }
    guard started > 0 else { return nil }
    link = PacketLink(ours)
    number = started
  }

  /// For tests, and for whoever looks at `/proc`.
  var processNumber: Int32 { number }

  /// Ends the process, unless it ends by itself within a moment, and tells how it ended.
  mutating func end() -> ProcessEnding {
    var status: Int32 = 0
    var isReaped = false
    let deadline = monotonicNanosecondsNow() + Self.endingNanoseconds
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
