import Base
import CLinux

/// A child process and a socket to it. The process does not outlive the value.
@usableFromInline package struct ChildProcess: ~Copyable {
  /// A process that ends closes its socket shortly before it can be reaped.
  private static var endingNanoseconds: UInt64 { 200_000_000 }

  /// Our end of the socket.
  let link: PacketLink
  /// 0 once the process has ended.
  private var number: pid_t

  /// The number of the first inherited descriptor in a started program.
  static var firstInherited: Int32 { Int32(linux_first_inherited) }
  /// The number of the second inherited descriptor.
  static var secondInherited: Int32 { Int32(linux_second_inherited) }

  /// Starts `program`, which inherits the other end of the socket, then `memory`, and no other close-on-exec
  /// descriptor.
  /// - Parameter memory: a descriptor; -1 if there is none.
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

  /// For tests, and to inspect the process in `/proc`.
  var processNumber: Int32 { number }

  /// Kills the process unless it ends by itself within a moment.
  /// - Returns: how it ended.
  mutating func end() -> ProcessEnding {
    var status: Int32 = 0
    var isReaped = false
    let deadline = Instant.now + Self.endingNanoseconds
    while !isReaped, Instant.now < deadline {
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

  /// May block as long as a stalled card does: a process inside a read ends only after it.
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

enum ProcessEnding: Equatable {
  case exit(status: Int32)
  case signal(Int32)

  /// - Parameter status: as returned by `waitpid`.
  init(status: Int32) {
    let signal = linux_ending_signal(status)
    self = signal == 0 ? .exit(status: linux_exit_status(status)) : .signal(signal)
  }

  /// Put in parentheses after the program's name.
  var name: FixedText<24> {
    switch self {
    case .exit(let status): "exit \(status)"
    case .signal(let number): "signal \(number)"
    }
  }

  /// The end of a sentence that begins with the program's name.
  var problem: StaticString {
    switch self {
    case .exit(0): "exited unexpectedly"
    // A shell's status for a program that cannot be executed, and the dynamic linker's for one with missing libraries.
    case .exit(126), .exit(127): "could not be executed"
    case .exit: "exited with an error"
    case .signal(SIGSYS): "was killed: it made a system call that is not allowed"
    case .signal(SIGXCPU): "was killed: it used too much processor time"
    case .signal(SIGKILL): "was killed from outside, or for lack of memory"
    case .signal(SIGSEGV), .signal(SIGBUS), .signal(SIGILL), .signal(SIGFPE), .signal(SIGABRT), .signal(SIGTRAP):
      "crashed on its input"
    case .signal: "was killed by a signal"
    }
  }
}
