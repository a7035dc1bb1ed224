import Base

/// Tells a person what only the system knows: drivers, the card, threads, and the controls of camera and microphone.
/// Every call may take as long as a driver or a card takes.
package protocol InspectorDriver: SlowDevice, ~Copyable where Order == InspectorRequest, Outcome == InspectorReply {
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
package enum InspectorRequest: BitwiseCopyable, Sendable {
  case drivers(DeviceNames)
  case card(isFallback: Bool)
  case process
  case controls(of: FixedText<64>, ControlChange)
  case gains(of: FixedText<64>, ControlChange)
}

/// What an ``Inspector`` answers to each.
package enum InspectorReply: BitwiseCopyable, Sendable {
  case drivers(DeviceDrivers)
  case card(CardReport)
  case process(ProcessReport)
  case controls(ControlList)
}

extension InspectorDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: InspectorRequest) throws(DeviceFailure) -> InspectorReply {
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
package enum ListedDevice: Int, BitwiseCopyable, Sendable {
  case camera
  case microphone
  case speaker
  case buttons
  case leds
  case accelerometer
  case encoder
  case display
  case card
  case thermometer

  /// The number of devices: raw values are 0..<`count`.
  package static var count: Int { 10 }
}

/// The configured name of each ``ListedDevice``; empty for one that is not to be looked for, and `.` for the data
/// folder.
package typealias DeviceNames = InlineArray<10, FixedText<64>>

/// Where each ``ListedDevice`` is.
package typealias DeviceDrivers = InlineArray<10, DeviceDriver>

/// By which driver, on which bus and at which address of it a device is; empty where the system does not tell.
package struct DeviceDriver: BitwiseCopyable, Sendable {
  /// Such as `usb`, `platform` or `mmc`.
  package var bus: FixedText<32> = ""
  /// On that bus, such as `1-1.2:1.0`.
  package var address: FixedText<32> = ""
  /// Such as `uvcvideo`.
  package var driver: FixedText<32> = ""

  package init(bus: FixedText<32> = "", address: FixedText<32> = "", driver: FixedText<32> = "") {
    self.bus = bus
    self.address = address
    self.driver = driver
  }
}

/// A file system.
package struct CardReport: BitwiseCopyable, Sendable {
  /// Its kind, such as `ext4`, or a number in hexadecimal.
  package var fileSystem: FixedText<32>
  /// Its size.
  package var byteCount: UInt64
  /// What the recorder may still use.
  package var freeByteCount: UInt64
  /// Whether nothing can be written to it.
  package var isReadOnly: Bool

  package init(fileSystem: FixedText<32>, byteCount: UInt64, freeByteCount: UInt64, isReadOnly: Bool) {
    self.fileSystem = fileSystem
    self.byteCount = byteCount
    self.freeByteCount = freeByteCount
    self.isReadOnly = isReadOnly
  }
}

/// The recorder as the system sees it.
package struct ProcessReport: BitwiseCopyable, Sendable {
  /// The threads, and then the processes that they have started.
  private var tasks = InlineArray<32, TaskReport?>(repeating: nil)
  /// How many there are.
  package private(set) var taskCount = 0
  /// Its memory that is not swapped out.
  package var residentByteCount: UInt64 = 0
  /// What of it never is.
  package var lockedByteCount: UInt64 = 0

  package init() {}

  /// Whether no more fits.
  package var isFull: Bool { taskCount == tasks.count }

  package mutating func append(_ task: TaskReport) {
    guard !isFull else { return }
    tasks[taskCount] = task
    taskCount += 1
  }

  /// - Parameter index: below ``taskCount``; else there is nothing.
  package subscript(index: Int) -> TaskReport? { index < taskCount ? tasks[index] : nil }
}

/// A thread, or a process.
package struct TaskReport: BitwiseCopyable, Sendable {
  /// How the kernel chooses when it runs (sched(7)).
  package enum Policy: UInt8, BitwiseCopyable, Sendable {
    case other = 0
    case fifo = 1
    case roundRobin = 2
    case batch = 3
    case idle = 5
    case deadline = 6

    /// Its name for programs and people.
    package var name: StaticString {
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
  package var name: FixedText<32> = ""
  /// By which the kernel knows it.
  package var number: Int32 = 0
  /// Whether it is a process that was started, and not a thread.
  package var isProcess = false
  /// The kernel's letter (proc_pid_stat(5)): R runs, S sleeps, D waits for a device.
  package var state = UInt8(ascii: "?")
  /// Nil for one that is not known.
  package var policy: Policy?
  /// With `fifo` and `rr` 1…99, more goes first; else -20…19, less goes first.
  package var priority: Int32 = 0
  /// How long it has run.
  package var processorMilliseconds: UInt64 = 0
  /// How long it has waited for a processor; nil where the kernel does not count that.
  package var waitedMicroseconds: UInt64?

  package init() {}
}

/// What is to be changed of a device's controls before they are told.
package enum ControlChange: BitwiseCopyable, Sendable {
  case none
  /// The control with this identifier.
  case set(UInt32, to: Int64)
  /// All of them to their defaults.
  case reset
}

/// A number that a device lets a person set.
package struct DeviceControl: BitwiseCopyable, Sendable {
  /// Why it cannot be set, or has no effect.
  package enum Lock: UInt8, BitwiseCopyable, Sendable {
    case none
    /// Another control, such as an automatic exposure, makes it have no effect now.
    case inactive
    case readOnly
  }

  /// The driver's.
  package var identifier: UInt32 = 0
  /// Small letters, digits and `_`.
  package var name: FixedText<32> = ""
  /// As the driver has it.
  package var value: Int64 = 0
  /// Its default, which may be outside of its range.
  package var usual: Int64 = 0
  /// Its least value.
  package var least: Int64 = 0
  /// Its greatest value, not below ``least``.
  package var most: Int64 = 0
  /// 1 or more, from ``least`` on.
  package var step: UInt64 = 1
  /// Whether it can be set.
  package var lock = Lock.none

  package init() {}

  /// Whether the driver's numbers say that it can have this value.
  package func accepts(_ value: Int64) -> Bool {
    guard least <= value, value <= most else { return false }
    return UInt64(bitPattern: value &- least) % max(step, 1) == 0
  }
}

/// The controls of a device.
package struct ControlList: BitwiseCopyable, Sendable {
  private var controls = InlineArray<32, DeviceControl?>(repeating: nil)
  /// How many there are.
  package private(set) var count = 0
  /// Those for which there was no space.
  package private(set) var leftOutCount = 0
  /// Those that the driver did not change.
  package var refusedCount = 0

  package init() {}

  /// - Parameter index: below ``count``; else there is nothing.
  package subscript(index: Int) -> DeviceControl? { index < count ? controls[index] : nil }

  package mutating func set(_ value: Int64, ofControlAt index: Int) { controls[index]?.value = value }

  package mutating func append(_ control: DeviceControl) {
    guard count < controls.count else { return leftOutCount += 1 }
    controls[count] = control
    count += 1
  }

  /// The one with this name.
  package func control(named name: FixedText<32>) -> DeviceControl? {
    for index in 0..<count {
      if let control = controls[index], control.name == name { return control }
    }
    return nil
  }
}
