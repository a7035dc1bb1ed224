import CLinux
import Text

/// How a process ended.
enum ProcessEnding: Equatable {
  case exit(status: Int32)
  case signal(Int32)

  /// - Parameter status: as `waitpid` gives it.
  init(status: Int32) {
    let signal = linux_ending_signal(status)
    self = signal == 0 ? .exit(status: linux_exit_status(status)) : .signal(signal)
  }

  /// In parentheses behind the program's name.
  var name: FixedText<24> {
    switch self {
    case .exit(let status): "exit \(status)"
    case .signal(let number): "signal \(number)"
    }
  }

  /// As the end of a sentence that begins with the program's name.
  var problem: StaticString {
    switch self {
    case .exit(0): "ended without being asked to"
    // What a shell says of a program that cannot be executed, and the dynamic linker of one without its libraries.
    case .exit(126), .exit(127): "could not be executed"
    case .exit: "gave up"
    case .signal(SIGSYS): "was ended: it asked the system for what it may not have"
    case .signal(SIGXCPU): "was ended: it computed for too long"
    case .signal(SIGKILL): "was ended from outside, or for want of memory"
    case .signal(SIGSEGV), .signal(SIGBUS), .signal(SIGILL), .signal(SIGFPE), .signal(SIGABRT), .signal(SIGTRAP):
      "fell over what it read"
    case .signal: "was ended by a signal"
    }
  }
}
