import Text

/// Tells a person what only the system knows: drivers, the card, threads, and the controls of camera and microphone. Every call may take as
/// long as a driver or a card takes.
public protocol Inspector: SlowDevice, ~Copyable where Order == InspectorOrder, Outcome == InspectorAnswer {
  /// By which driver and on which bus each device is.
  mutating func drivers(_ names: DeviceNames) throws(DeviceFailure) -> DeviceDrivers

  /// The file system of the data folder, or of the fallback folder where that is in use.
  mutating func card(isFallback: Bool) throws(DeviceFailure) -> CardReport

  /// The recorder's threads, the processes that it has started, and its memory.
  mutating func process() throws(DeviceFailure) -> ProcessReport

  /// The controls of a camera, after a change.
  mutating func controls(
    of camera: FixedText<64>, _ change: ControlChange
  ) throws(DeviceFailure) -> ControlList

  /// How much a sound card amplifies what it records, in hundredths of a decibel, after a change.
  /// - Parameter card: an ALSA device name.
  mutating func gains(of card: FixedText<64>, _ change: ControlChange) throws(DeviceFailure) -> ControlList
}

/// What an ``Inspector`` is asked.
public enum InspectorOrder: BitwiseCopyable, Sendable {
  case drivers(DeviceNames)
  case card(isFallback: Bool)
  case process
  case controls(of: FixedText<64>, ControlChange)
  case gains(of: FixedText<64>, ControlChange)
}

/// What an ``Inspector`` answers to each.
public enum InspectorAnswer: BitwiseCopyable, Sendable {
  case drivers(DeviceDrivers)
  case card(CardReport)
  case process(ProcessReport)
  case controls(ControlList)
}

extension Inspector where Self: ~Copyable {
  /// Makes the calls of an order.
  public mutating func carryOut(_ order: InspectorOrder) throws(DeviceFailure) -> InspectorAnswer {
    switch order {
    case .drivers(let names): .drivers(try drivers(names))
    case .card(let isFallback): .card(try card(isFallback: isFallback))
    case .process: .process(try process())
    case .controls(let camera, let change): .controls(try controls(of: camera, change))
    case .gains(let card, let change): .controls(try gains(of: card, change))
    }
  }
}

/// The devices that are listed.
public enum ListedDevice: Int, BitwiseCopyable, Sendable {
  case camera
  case microphone
  case speaker
  case buttons
  case indicators
  case accelerometer
  case encoder
  case display
  case card
  case thermometer

  /// The number of devices: raw values are 0..<`count`.
  public static var count: Int { 10 }
}

/// The configured name of each ``ListedDevice``; empty for one that is not to be looked for, and `.` for the data folder.
public typealias DeviceNames = InlineArray<10, FixedText<64>>

/// Where each ``ListedDevice`` is.
public typealias DeviceDrivers = InlineArray<10, DeviceDriver>

/// By which driver, on which bus and at which address of it a device is; empty where the system does not tell.
public struct DeviceDriver: BitwiseCopyable, Sendable {
  /// Such as `usb`, `platform` or `mmc`.
  public var bus: FixedText<32> = ""
  /// On that bus, such as `1-1.2:1.0`.
  public var address: FixedText<32> = ""
  /// Such as `uvcvideo`.
  public var driver: FixedText<32> = ""

  package init(bus: FixedText<32> = "", address: FixedText<32> = "", driver: FixedText<32> = "") {
    self.bus = bus
    self.address = address
    self.driver = driver
  }
}

/// A file system.
public struct CardReport: BitwiseCopyable, Sendable {
  /// Its kind, such as `ext4`, or a number in hexadecimal.
  public var fileSystem: FixedText<32>
  /// Its size.
  public var byteCount: UInt64
  /// What the recorder may still use.
  public var freeByteCount: UInt64
  /// Whether nothing can be written to it.
  public var isReadOnly: Bool

  package init(fileSystem: FixedText<32>, byteCount: UInt64, freeByteCount: UInt64, isReadOnly: Bool) {
    self.fileSystem = fileSystem
    self.byteCount = byteCount
    self.freeByteCount = freeByteCount
    self.isReadOnly = isReadOnly
  }
}

/// The recorder as the system sees it.
public struct ProcessReport: BitwiseCopyable, Sendable {
  /// The threads, and then the processes that they have started.
  private var tasks = InlineArray<32, TaskReport?>(repeating: nil)
  /// How many there are.
  public private(set) var taskCount = 0
  /// Its memory that is not swapped out.
  public var residentByteCount: UInt64 = 0
  /// What of it never is.
  public var lockedByteCount: UInt64 = 0

  package init() {}

  /// Whether no more fits.
  package var isFull: Bool { taskCount == tasks.count }

  package mutating func append(_ task: TaskReport) {
    guard !isFull else { return }
    tasks[taskCount] = task
    taskCount += 1
  }

  /// - Parameter index: below ``taskCount``; else there is nothing.
  public subscript(index: Int) -> TaskReport? { index < taskCount ? tasks[index] : nil }
}

/// A thread, or a process.
public struct TaskReport: BitwiseCopyable, Sendable {
  /// How the kernel chooses when it runs (sched(7)).
  public enum Policy: UInt8, BitwiseCopyable, Sendable {
    case other = 0
    case fifo = 1
    case roundRobin = 2
    case batch = 3
    case idle = 5
    case deadline = 6

    /// Its name for programs and people.
    public var name: StaticString {
      switch self {
      case .other: "other"
      case .fifo: "fifo"
      case .roundRobin: "rr"
      case .batch: "batch"
      case .idle: "idle"
      case .deadline: "deadline"
      }
    }
  }

  /// As `ps` tells it; `loop` for the first thread.
  public var name: FixedText<32> = ""
  /// By which the kernel knows it.
  public var number: Int32 = 0
  /// Whether it is a process that was started, and not a thread.
  public var isProcess = false
  /// The kernel's letter (proc_pid_stat(5)): R runs, S sleeps, D waits for a device.
  public var state = UInt8(ascii: "?")
  /// Nil for one that is not known.
  public var policy: Policy?
  /// With `fifo` and `rr` 1…99, more goes first; else -20…19, less goes first.
  public var priority: Int32 = 0
  /// How long it has run.
  public var processorMilliseconds: UInt64 = 0
  /// How long it has waited for a processor; nil where the kernel does not count that.
  public var waitedMicroseconds: UInt64?

  package init() {}
}

/// What is to be changed of a device's controls before they are told.
public enum ControlChange: BitwiseCopyable, Sendable {
  case none
  /// The control with this identifier.
  case set(UInt32, to: Int64)
  /// All of them to their defaults.
  case reset
}

/// A number that a device lets a person set.
public struct DeviceControl: BitwiseCopyable, Sendable {
  /// Why it cannot be set, or has no effect.
  public enum Lock: UInt8, BitwiseCopyable, Sendable {
    case none
    /// Another control, such as an automatic exposure, makes it have no effect now.
    case inactive
    case readOnly
  }

  /// The driver's.
  public var identifier: UInt32 = 0
  /// Small letters, digits and `_`.
  public var name: FixedText<32> = ""
  /// As the driver has it.
  public var value: Int64 = 0
  /// Its default, which may be outside of its range.
  public var usual: Int64 = 0
  /// Its least value.
  public var least: Int64 = 0
  /// Its greatest value, not below ``least``.
  public var most: Int64 = 0
  /// 1 or more, from ``least`` on.
  public var step: UInt64 = 1
  /// Whether it can be set.
  public var lock = Lock.none

  package init() {}

  /// Whether the driver's numbers say that it can have this value.
  public func accepts(_ value: Int64) -> Bool {
    guard least <= value, value <= most else { return false }
    return UInt64(bitPattern: value &- least) % max(step, 1) == 0
  }
}

/// The controls of a device.
public struct ControlList: BitwiseCopyable, Sendable {
  private var controls = InlineArray<32, DeviceControl?>(repeating: nil)
  /// How many there are.
  public private(set) var count = 0
  /// Those for which there was no space.
  public private(set) var leftOutCount = 0
  /// Those that the driver did not change.
  public var refusedCount = 0

  package init() {}

  /// - Parameter index: below ``count``; else there is nothing.
  public subscript(index: Int) -> DeviceControl? { index < count ? controls[index] : nil }

  package mutating func set(_ value: Int64, ofControlAt index: Int) { controls[index]?.value = value }

  package mutating func append(_ control: DeviceControl) {
    guard count < controls.count else { return leftOutCount += 1 }
    controls[count] = control
    count += 1
  }

  /// The one with this name.
  public func control(named name: FixedText<32>) -> DeviceControl? {
    for index in 0..<count {
      if let control = controls[index], control.name == name { return control }
    }
    return nil
  }
}
