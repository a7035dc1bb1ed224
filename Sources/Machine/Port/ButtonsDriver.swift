import Base

/// The button lines, polled together. Only reading them never waits.
package protocol ButtonsDriver: SlowDevice, ~Copyable where Order == PolledDeviceOrder, Outcome == FixedText<32> {
  /// Requests the lines; gives back those that were requested before.
  mutating func open() throws(DeviceFailure)

  /// Which buttons are down now, contact bounce included; only injected presses before ``open()``.
  /// - Throws: when the lines cannot be read. The next call may succeed.
  mutating func read(at now: Instant) throws(DeviceFailure) -> ButtonSet

  /// The oldest change of a line that ``nextEdge()`` has not returned, as the system has stamped it: also one that no
  /// reading has seen. Never waits.
  /// - Returns: nil when there is none.
  /// - Throws: as ``read(at:)``.
  mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge?

  /// Whether ``nextEdge()`` tells every change, so that nobody need look for one.
  var tellsEdges: Bool { get }

  /// Adds what can be read when a line has changed.
  func add(to sources: inout WakeSources)

  /// Holds a button down between two instants of the monotonic clock, for tests and the console.
  mutating func inject(_ button: Button, from: Instant, to: Instant)
}

/// What the device worker does with a device that is only read.
package enum PolledDeviceOrder: BitwiseCopyable, Sendable {
  /// The outcome is its name.
  case open
}

/// A change of a button's contact, of which a bounce has several.
package struct ButtonEdge: BitwiseCopyable, Equatable, Sendable {
  package let button: Button
  /// From then on.
  package let isDown: Bool
  /// By the monotonic clock.
  package let instant: Instant

  package init(_ button: Button, isDown: Bool, at instant: Instant) {
    self.button = button
    self.isDown = isDown
    self.instant = instant
  }
}

/// For buttons of which only the level can be read.
extension ButtonsDriver where Self: ~Copyable {
  package mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge? { nil }
  package var tellsEdges: Bool { false }
  package func add(to sources: inout WakeSources) {}
}

extension ButtonsDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: PolledDeviceOrder) throws(DeviceFailure) -> FixedText<32> {
    try open()
    return "buttons"
  }
}

/// The buttons on the case, in the order of the wiring table.
package enum Button: UInt8, BitwiseCopyable, Sendable {
  case prepare
  case play
  case stop
  case record
  case zoom
  case rotate
  /// No button: a line that is active while the power is failing.
  case power

  /// The number of buttons: raw values are 0..<`count`.
  package static var count: Int { 7 }

  /// Its name on the console and in the configuration.
  package var name: StaticString {
    switch self {
    case .prepare: "prepare"
    case .play: "play"
    case .stop: "stop"
    case .record: "record"
    case .zoom: "zoom"
    case .rotate: "rotate"
    case .power: "power"
    }
  }
}

/// Which buttons are down.
package typealias ButtonSet = FlagSet<Button>

/// Presses from the console, which both boards add to those of their lines.
package struct InjectedButtons: Sendable {
  private var starts = InlineArray<7, Instant>(repeating: 0)
  private var ends = InlineArray<7, Instant>(repeating: 0)

  package init() {}

  /// Holds `button` down from one instant of the monotonic clock until just before the other, and replaces an earlier
  /// press of the same button.
  package mutating func hold(_ button: Button, from: Instant, to: Instant) {
    starts[Int(button.rawValue)] = from
    ends[Int(button.rawValue)] = to
  }

  /// Which are held down at `now`.
  package func pressed(at now: Instant) -> ButtonSet {
    var pressed = ButtonSet()
    for index in 0..<Button.count where now >= starts[index] && now < ends[index] {
      pressed.bits |= 1 << UInt8(index)
    }
    return pressed
  }
}

/// The LEDs.
package protocol LEDDriver: ~Copyable {
  /// Requests the lines.
  mutating func open() throws(DeviceFailure)

  /// Lights these, and no others; does nothing before ``open()``.
  mutating func show(_ lit: LEDSet) throws(DeviceFailure)

  /// The levels that the lines have, whatever was written to them; what is not wired is as it was written. Never waits.
  /// - Returns: nil where they cannot be read.
  mutating func readLevels() throws(DeviceFailure) -> LEDSet?
}
