import Base

/// The button lines, polled together. Reading them never blocks; other calls may.
package protocol ButtonsDriver: SlowDevice, ~Copyable where Order == PolledDeviceOrder, Outcome == FixedText<32> {
  /// Requests the lines, after releasing any requested before.
  mutating func open() throws(DeviceFailure)

  /// The buttons that are down now, contact bounce included; only injected presses before ``open()``.
  /// - Throws: if the lines cannot be read. The next call may succeed.
  mutating func read(at now: Instant) throws(DeviceFailure) -> ButtonSet

  /// The oldest edge of a line that ``nextEdge()`` has not yet returned, with the system's timestamp, even if no
  /// reading has seen it. Never blocks.
  /// - Returns: nil if there is none.
  /// - Throws: as ``read(at:)``.
  mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge?

  /// Whether ``nextEdge()`` reports every edge, so that the lines need no polling.
  var tellsEdges: Bool { get }

  /// Adds the descriptors that become readable when a line changes.
  func add(to sources: inout WakeSources)

  /// Holds a button down between two instants of the monotonic clock, for tests and the console.
  mutating func inject(_ button: Button, from: Instant, to: Instant)
}

/// An order to the device worker for a device that is only read.
package enum PolledDeviceOrder: BitwiseCopyable, Sendable {
  /// The outcome is the device's name.
  case open
}

/// An edge of a button's contact; a bouncing contact produces several.
package struct ButtonEdge: BitwiseCopyable, Equatable, Sendable {
  package let button: Button
  /// Whether the button is down after the edge.
  package let isDown: Bool
  /// On the monotonic clock.
  package let instant: Instant

  package init(_ button: Button, isDown: Bool, at instant: Instant) {
    self.button = button
    self.isDown = isDown
    self.instant = instant
  }
}

/// For buttons whose level alone can be read.
extension ButtonsDriver where Self: ~Copyable {
  package mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge? { nil }
  package var tellsEdges: Bool { false }
  package func add(to sources: inout WakeSources) {}
}

extension ButtonsDriver where Self: ~Copyable {
  /// Makes an order's calls.
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
  /// Not a button: a line that is active while the power is failing.
  case power

  /// The number of buttons: raw values are 0..<`count`.
  package static var count: Int { 7 }

  /// The name on the console and in the configuration.
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

/// The buttons that are down.
package typealias ButtonSet = FlagSet<Button>

/// Presses from the console, which real and simulated machines add to those of their lines.
package struct InjectedButtons: Sendable {
  private var starts = InlineArray<7, Instant>(repeating: 0)
  private var ends = InlineArray<7, Instant>(repeating: 0)

  package init() {}

  /// Holds `button` down from one instant of the monotonic clock until just before the other. Replaces an earlier press
  /// of the same button.
  package mutating func hold(_ button: Button, from: Instant, to: Instant) {
    starts[Int(button.rawValue)] = from
    ends[Int(button.rawValue)] = to
  }

  /// The buttons held down at `now`.
  package func pressed(at now: Instant) -> ButtonSet {
    var pressed = ButtonSet()
    for index in 0..<Button.count where now >= starts[index] && now < ends[index] {
      pressed.bits |= 1 << UInt8(index)
    }
    return pressed
  }
}

package protocol LEDDriver: ~Copyable {
  /// Requests the lines.
  mutating func open() throws(DeviceFailure)

  /// Lights exactly these LEDs; does nothing before ``open()``.
  mutating func show(_ lit: LEDSet) throws(DeviceFailure)

  /// The actual levels of the lines, whatever was written; for an LED without a line, the level last written. Never
  /// blocks.
  /// - Returns: nil if the levels cannot be read.
  mutating func readLevels() throws(DeviceFailure) -> LEDSet?
}
