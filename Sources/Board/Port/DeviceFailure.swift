import Text

/// Something that the machine would not do: which part, what it said, and what a person can do about it.
public struct DeviceFailure: Error, BitwiseCopyable, Sendable {
  /// What kind of failure, for code that goes on differently.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// It is not there, or not any more.
    case absent
    /// The system refuses us.
    case noPermission
    /// Somebody else holds it.
    case busy
    /// It is there but cannot do what was asked.
    case unsupported
    /// No room left.
    case full
    /// There is one of that name.
    case exists
    /// It answered with an error.
    case failed
  }

  /// The part that failed.
  public var device: Device
  /// What kind of failure.
  public var kind: Kind
  /// The name by which it was opened: a node, a path, a pin.
  public var subject: FixedText<64>
  /// What went wrong, as the end of a sentence: "cannot be opened".
  public var problem: StaticString
  /// What a person can do: "plug it in, or set [video] device".
  public var remedy: StaticString
  /// `errno`, or 0 when the system gave none.
  public var systemErrorNumber: Int32

  /// A failure with all that makes its line; `systemErrorNumber` is left out where the system gave none.
  public init(
    device: Device, kind: Kind, subject: FixedText<64>, problem: StaticString, remedy: StaticString,
    systemErrorNumber: Int32 = 0
  ) {
    self.device = device
    self.kind = kind
    self.subject = subject
    self.problem = problem
    self.remedy = remedy
    self.systemErrorNumber = systemErrorNumber
  }

  /// The whole as one line: `camera /dev/video0 cannot be opened (errno 13): …`.
  public var line: FixedText<256> {
    let separator: StaticString = subject.isEmpty ? "" : " "
    var line: FixedText<256> = "\(device.name)\(separator)\(subject) \(problem)"
    if systemErrorNumber != 0 { line.append(" (errno \(systemErrorNumber))" as FixedText<24>) }
    line.append(": \(remedy)" as FixedText<256>)
    return line
  }

  /// The machine has not as much memory as the configuration asks for.
  /// - Parameter byteCount: at least as much would have been needed.
  public static func memoryRefused(
    byteCount: Int, problem: StaticString = "are more than the machine has free", systemErrorNumber: Int32 = 0
  ) -> DeviceFailure {
    DeviceFailure(
      device: .memory, kind: .full, subject: "\(Double(byteCount) / 1e6, decimals: 1) MB", problem: problem,
      remedy: "lower [record] preroll_seconds or stall_seconds, or [video] preset, width and height or frame_rate",
      systemErrorNumber: systemErrorNumber)
  }
}
