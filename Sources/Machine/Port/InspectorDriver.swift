import Base

/// Reports what only the system knows: drivers, the card, threads, and the controls of camera and microphone. Switches
/// parts of the machine off. Every call may take as long as a driver or a card takes.
package protocol InspectorDriver: SlowDevice, ~Copyable where Order == InspectorRequest, Outcome == InspectorReply {
  /// The driver and bus of each device.
  mutating func drivers(_ names: DeviceNames) throws(DeviceFailure) -> DeviceDrivers

  /// The file system of the data folder, or of the fallback folder if that is in use.
  mutating func card(isFallback: Bool) throws(DeviceFailure) -> CardReport

  /// The recorder's threads, the processes that it has started, and its memory.
  mutating func process() throws(DeviceFailure) -> ProcessReport

  /// The controls of a camera, after applying a change.
  mutating func controls(of camera: FixedText<64>, _ change: ControlChange) throws(DeviceFailure) -> ControlList

  /// A sound card's capture gains, in hundredths of a decibel, after applying a change.
  /// - Parameter card: an ALSA device name.
  mutating func gains(of card: FixedText<64>, _ change: ControlChange) throws(DeviceFailure) -> ControlList

  /// Switches parts of the machine off, and those that are to be left as they are back to how they were.
  mutating func power(_ wishes: PowerWishes) throws(DeviceFailure) -> PowerReport

  /// Has the system switch the machine off: it then asks the recorder to end.
  mutating func switchOff() throws(DeviceFailure)

  /// Suspends the machine and returns once it is awake again, or has it powered off and returns.
  mutating func sleep(_ order: SleepOrder) throws(DeviceFailure)

  /// Hands an update over to the installer of the card's image, or reads what that says.
  mutating func update(_ order: UpdateOrder) throws(DeviceFailure) -> UpdateReport
}

package enum InspectorRequest: BitwiseCopyable, Sendable {
  case drivers(DeviceNames)
  case card(isFallback: Bool)
  case process
  case controls(of: FixedText<64>, ControlChange)
  case gains(of: FixedText<64>, ControlChange)
  case power(PowerWishes)
  case switchOff
  case sleep(SleepOrder)
  case update(UpdateOrder)
}

package enum InspectorReply: BitwiseCopyable, Sendable {
  case drivers(DeviceDrivers)
  case card(CardReport)
  case process(ProcessReport)
  case controls(ControlList)
  case power(PowerReport)
  case switchedOff
  /// The machine is awake again, or will soon be without power.
  case slept
  case update(UpdateReport)
}

extension InspectorDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: InspectorRequest) throws(DeviceFailure) -> InspectorReply {
    switch order {
    case .drivers(let names): return .drivers(try drivers(names))
    case .card(let isFallback): return .card(try card(isFallback: isFallback))
    case .process: return .process(try process())
    case .controls(let camera, let change): return .controls(try controls(of: camera, change))
    case .gains(let card, let change): return .controls(try gains(of: card, change))
    case .power(let wishes): return .power(try power(wishes))
    case .switchOff:
      try switchOff()
      return .switchedOff
    case .sleep(let order):
      try sleep(order)
      return .slept
    case .update(let order): return .update(try update(order))
    }
  }
}

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
  case receiver

  /// The number of devices: raw values are 0..<`count`.
  package static var count: Int { 11 }
}

/// The configured name of each ``ListedDevice``; empty for one not to look for, and `.` for the data folder.
package typealias DeviceNames = InlineArray<11, FixedText<64>>

/// The driver and place of each ``ListedDevice``.
package typealias DeviceDrivers = InlineArray<11, DeviceDriver>

/// A device's driver, bus and address on the bus; empty if the system does not report it.
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
  package var byteCount: UInt64
  /// Bytes that the recorder may still use.
  package var freeByteCount: UInt64
  /// Whether it is mounted read-only.
  package var isReadOnly: Bool
}

/// The recorder as the system sees it.
package struct ProcessReport: BitwiseCopyable, Sendable {
  /// The threads, then the processes that they have started.
  private var tasks = InlineArray<32, TaskReport?>(repeating: nil)
  package private(set) var taskCount = 0
  /// Memory that is not swapped out.
  package var residentByteCount: UInt64 = 0
  /// The part of it that never is.
  package var lockedByteCount: UInt64 = 0

  package init() {}

  /// Whether no more tasks fit.
  package var isFull: Bool { taskCount == tasks.count }

  package mutating func append(_ task: TaskReport) {
    guard !isFull else { return }
    tasks[taskCount] = task
    taskCount += 1
  }

  /// - Parameter index: below ``taskCount``; otherwise the result is nil.
  package subscript(index: Int) -> TaskReport? { index < taskCount ? tasks[index] : nil }
}

/// A thread, or a process.
package struct TaskReport: BitwiseCopyable, Sendable {
  /// The kernel's scheduling policy (sched(7)).
  package enum Policy: UInt8, BitwiseCopyable, Sendable {
    case other = 0
    case fifo = 1
    case roundRobin = 2
    case batch = 3
    case idle = 5
    case deadline = 6

    /// The name for programs and people.
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

  /// The name that `ps` shows; `loop` for the first thread.
  package var name: FixedText<32> = ""
  /// The kernel's number for it.
  package var number: Int32 = 0
  /// Whether it is a child process rather than a thread.
  package var isProcess = false
  /// The kernel's letter (proc_pid_stat(5)): R runs, S sleeps, D waits for a device.
  package var state = UInt8(ascii: "?")
  /// Nil if unknown.
  package var policy: Policy?
  /// For `fifo` and `rr` 1…99, higher runs first; otherwise -20…19, lower runs first.
  package var priority: Int32 = 0
  /// Processor time used so far.
  package var processorMilliseconds: UInt64 = 0
  /// Time spent waiting for a processor; nil if the kernel does not count it.
  package var waitedMicroseconds: UInt64?

  package init() {}
}

/// A change to a device's controls before they are reported.
package enum ControlChange: BitwiseCopyable, Sendable {
  case none
  /// The control with this identifier.
  case set(UInt32, to: Int64)
  /// Resets all controls to their defaults.
  case reset
}

/// A numeric setting of a device that a person can change.
package struct DeviceControl: BitwiseCopyable, Sendable {
  /// Why it cannot be set, or has no effect.
  package enum Lock: UInt8, BitwiseCopyable, Sendable {
    case none
    /// Another control, such as automatic exposure, overrides it now.
    case inactive
    case readOnly
  }

  /// The driver's identifier.
  package var identifier: UInt32 = 0
  /// Lower-case letters, digits and `_`.
  package var name: FixedText<32> = ""
  /// As the driver reports it.
  package var value: Int64 = 0
  /// The default, which may be out of range.
  package var usual: Int64 = 0
  /// The minimum.
  package var least: Int64 = 0
  /// The maximum, at least ``least``.
  package var most: Int64 = 0
  /// The step from ``least``, at least 1.
  package var step: UInt64 = 1
  /// Whether it can be set.
  package var lock = Lock.none

  package init() {}

  /// Whether the driver's range and step allow this value.
  package func accepts(_ value: Int64) -> Bool {
    guard least <= value, value <= most else { return false }
    return UInt64(bitPattern: value &- least) % max(step, 1) == 0
  }
}

/// The controls of a device.
package struct ControlList: BitwiseCopyable, Sendable {
  private var controls = InlineArray<32, DeviceControl?>(repeating: nil)
  package private(set) var count = 0
  /// The number of controls for which there was no space.
  package private(set) var leftOutCount = 0
  /// The number of controls that the driver did not change.
  package var refusedCount = 0

  package init() {}

  /// - Parameter index: below ``count``; otherwise the result is nil.
  package subscript(index: Int) -> DeviceControl? { index < count ? controls[index] : nil }

  package mutating func set(_ value: Int64, ofControlAt index: Int) { controls[index]?.value = value }

  package mutating func append(_ control: DeviceControl) {
    guard count < controls.count else { return leftOutCount += 1 }
    controls[count] = control
    count += 1
  }

  package func control(named name: FixedText<32>) -> DeviceControl? {
    for index in 0..<count {
      if let control = controls[index], control.name == name { return control }
    }
    return nil
  }
}

/// What a part of the machine does now.
package enum PowerState: BitwiseCopyable, Equatable, Sendable {
  /// The machine has no such part, or does not report it.
  case absent
  case on
  case off
  /// The governor that the processor's frequency follows.
  case governor(FixedText<16>)
}

/// A part of the machine, after it was to be changed or left as it is.
package struct PartPower: BitwiseCopyable, Sendable {
  package var state = PowerState.absent
  /// Why the part is not as it should be; nil if it is.
  package var failure: DeviceFailure?

  package init() {}
}

package typealias PowerReport = PerPowerPart<PartPower>
