import Base
import Wire

/// A part of the machine that can be missing or fail.
package enum Device: UInt8, BitwiseCopyable, Sendable {
  case buttons
  case accelerometer
  case microphone
  case speaker
  case camera
  case encoder
  case leds
  case console
  case storage
  case memory
  case decoder
  case view
  case scheduler
  case thermometer
  case timeService
  case stream
  case power
  case battery
  case receiver

  /// The name in messages.
  package var name: StaticString {
    switch self {
    case .buttons: "buttons"
    case .accelerometer: "accelerometer"
    case .microphone: "microphone"
    case .speaker: "speaker"
    case .camera: "camera"
    case .encoder: "encoder"
    case .leds: "indicators"
    case .console: "console"
    case .storage: "storage"
    case .memory: "memory"
    case .decoder: "decoder"
    case .view: "live view"
    case .scheduler: "scheduler"
    case .thermometer: "thermometer"
    case .timeService: "time service"
    case .stream: "stream"
    case .power: "power saving"
    case .battery: "battery"
    case .receiver: "receiver"
    }
  }
}

extension Device {
  /// Whether the name is a plural.
  package var isSeveral: Bool { self == .buttons || self == .leds }
}

/// One element per device, indexed by raw value. A device outside its range stops the program at boot, and every test.
package typealias PerDevice<Element> = InlineArray<19, Element>

/// A failure of one part of the machine: which part, what is wrong, and what a person can do about it.
package struct DeviceFailure: Error, BitwiseCopyable, Sendable {
  /// The kind of failure, for code that handles kinds differently.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// It is missing.
    case absent
    /// The system denies access.
    case noPermission
    /// Another program is using it.
    case busy
    /// It cannot do what was requested.
    case unsupported
    /// No space or memory is left.
    case full
    /// The name is taken.
    case exists
    /// It answered with an error.
    case failed
  }

  /// The part that failed.
  package var device: Device
  package var kind: Kind
  /// The name under which it was opened: a node, a path, a pin.
  package var subject: FixedText<64>
  /// What went wrong, as the end of a sentence: "cannot be opened".
  package var problem: StaticString
  /// What a person can do: "plug it in, or set [video] device".
  package var remedy: StaticString
  /// `errno`; 0 if there is none.
  package var systemErrorNumber: Int32
  /// The process that holds the device; 0 if unknown.
  package var holderProcessNumber: Int32

  package init(
    device: Device, kind: Kind, subject: FixedText<64>, problem: StaticString, remedy: StaticString,
    systemErrorNumber: Int32 = 0, holderProcessNumber: Int32 = 0
  ) {
    self.device = device
    self.kind = kind
    self.subject = subject
    self.problem = problem
    self.remedy = remedy
    self.systemErrorNumber = systemErrorNumber
    self.holderProcessNumber = holderProcessNumber
  }

  /// The whole failure on one line: `camera /dev/video0 cannot be opened (errno 13): …`.
  package var line: FixedText<256> {
    var line = FixedText<256>(problemLine.bytes)
    line.append(": \(remedy)" as FixedText<256>)
    return line
  }

  /// The line without the remedy.
  package var problemLine: FixedText<192> {
    let separator: StaticString = subject.isEmpty ? "" : " "
    var line: FixedText<192> = "\(device.name)\(separator)\(subject) \(problem)"
    if holderProcessNumber != 0 { line.append(" by process \(holderProcessNumber)" as FixedText<24>) }
    if systemErrorNumber != 0 { line.append(" (errno \(systemErrorNumber))" as FixedText<24>) }
    return line
  }

  /// A stream that cannot be played.
  /// - Parameter address: its beginning names the stream.
  package static func ofStream(_ address: borrowing FixedText<256>, _ problem: FetchProblem) -> DeviceFailure {
    DeviceFailure(
      device: .stream, kind: .failed, subject: address.bytes.hidingSecrets(), problem: problem.problem,
      remedy: problem.remedy)
  }

  /// The configuration needs more memory than the machine has.
  /// - Parameter byteCount: at least this much is needed.
  package static func memoryRefused(
    byteCount: Int, problem: StaticString = "are more than the machine has free", systemErrorNumber: Int32 = 0
  ) -> DeviceFailure {
    DeviceFailure(
      device: .memory, kind: .full, subject: "\(grouped: Double(byteCount) / 1e6, decimals: 1) MB", problem: problem,
      remedy: "lower [record] preroll_seconds or stall_seconds, or [video] preset, width and height or frame_rate",
      systemErrorNumber: systemErrorNumber)
  }
}
