import Base

/// How the machine is to sleep, and when it is to be awake again.
package struct SleepOrder: BitwiseCopyable, Sendable {
  package enum Depth: UInt8, BitwiseCopyable, Sendable {
    case suspend
    case powerOff

    /// The word for the script.
    package var word: StaticString { self == .suspend ? "suspend" : "poweroff" }
  }

  package let depth: Depth
  /// The script of the board that wakes the machine: letters only.
  package let board: StaticString
  /// When to wake, in Unix seconds.
  package let unixSeconds: Int64
  /// How long the script may take, by a clock that may count the sleep.
  package let patienceSeconds: UInt64

  package init(_ depth: Depth, board: StaticString, unixSeconds: Int64, patienceSeconds: UInt64) {
    self.depth = depth
    self.board = board
    self.unixSeconds = unixSeconds
    self.patienceSeconds = patienceSeconds
  }
}

extension DeviceFailure {
  /// - Parameter said: the script's line.
  static func sleep(_ said: FixedText<64>, _ problem: StaticString) -> DeviceFailure {
    DeviceFailure(
      device: .power, kind: .failed, subject: said, problem: problem,
      remedy: "see Sleep in docs/field.md; until the next window the recorder only idles")
  }
}
