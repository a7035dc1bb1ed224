import Base
import CGPIO

/// Lines of one GPIO chip in one request, released when the value is destroyed.
// Destroyed with the machine in another module, which must see its deinit.
@usableFromInline @safe package struct GPIOLines: ~Copyable {
  // Safe: libgpiod's request is used only through this value and closed once, at its end.
  private var lines: gpio_lines
  private let device: Device
  private let chipPath: FixedText<64>

  /// - Parameters:
  ///   - device: the device that failures name.
  ///   - offsets: the lines' numbers on the chip, in the order of the bits in ``read()`` and ``write(_:)``.
  ///   - areOutputs: outputs start inactive; inputs get a bias towards the inactive level.
  init(
    of device: Device, chipPath: FixedText<64>, offsets: LineOffsets, areOutputs: Bool, areActiveLow: Bool
  ) throws(DeviceFailure) {
    var opened = unsafe gpio_lines()
    var failedOffset: UInt32 = 0
    let result = unsafe chipPath.withCString { path in
      unsafe offsets.offsets.span.withUnsafeBufferPointer { numbers in
        unsafe gpio_lines_open(
          &opened, path, numbers.baseAddress!, UInt32(offsets.count), areOutputs, areActiveLow, &failedOffset)
      }
    }
    guard result == GPIO_LINES_OK else { throw openingFailure(device, chipPath, result, failedOffset) }
    unsafe lines = opened
    self.device = device
    self.chipPath = chipPath
  }

  deinit {
    var closing = unsafe lines
    unsafe gpio_lines_close(&closing)
  }

  /// Bit n is set if line n is active now.
  mutating func read() throws(DeviceFailure) -> UInt32 {
    var active: UInt32 = 0
    guard unsafe gpio_lines_read(&lines, &active) else { throw failure("cannot be read") }
    return active
  }

  /// The oldest edge not yet taken; nil if there is none.
  mutating func nextEdge() throws(DeviceFailure) -> gpio_edge? {
    var edge = gpio_edge()
    let count = unsafe gpio_lines_next_edge(&lines, &edge)
    guard count >= 0 else { throw failure("cannot be read") }
    return count > 0 ? edge : nil
  }

  var tellsEdges: Bool { unsafe lines.edge_descriptor_count > 0 }

  /// Adds the descriptors that become readable when a line changes.
  func add(to sources: inout WakeSources) {
    for index in 0..<(unsafe lines.edge_descriptor_count) {
      sources.add(unsafe gpio_lines_edge_descriptor(lines, index))
    }
  }

  /// Makes line n active if bit n is set, all lines at once.
  mutating func write(_ active: UInt32) throws(DeviceFailure) {
    guard unsafe gpio_lines_write(&lines, active) else { throw failure("cannot be set") }
  }

  private func failure(_ problem: StaticString) -> DeviceFailure {
    let reason = lastSystemError
    return DeviceFailure(
      device: device, kind: DeviceFailure.Kind(systemErrorNumber: reason), subject: chipPath, problem: problem,
      remedy: "check the wiring, and chip in [buttons] and [leds]", systemErrorNumber: reason)
  }
}

private func openingFailure(
  _ device: Device, _ chipPath: FixedText<64>, _ result: gpio_lines_result, _ offset: UInt32
) -> DeviceFailure {
  let reason = lastSystemError
  var kind = DeviceFailure.Kind(systemErrorNumber: reason)
  if result == GPIO_LINES_NO_LINE { kind = .absent }
  let (problem, remedy): (StaticString, StaticString) =
    switch (result, kind) {
    case (GPIO_LINES_NO_LINE, _):
      ("does not exist on the chip", "set its pin in [buttons] or [leds] to a line that exists")
    case (GPIO_LINES_HELD, _):
      ("is used by another program", "end that program (gpioinfo names it), or set its pin in [buttons] or [leds]")
    case (_, .absent): ("cannot be opened", "set chip in [buttons] and [leds]; gpiodetect lists the chips")
    case (_, .noPermission): ("cannot be opened", "add the recorder's user to the group gpio")
    case (GPIO_LINES_NO_CHIP, _): ("is not a GPIO chip", "set chip in [buttons] and [leds]; gpiodetect lists the chips")
    default: ("refuses its lines", "check the pins in [buttons] and [leds]")
    }
  let isLineToBlame = result == GPIO_LINES_NO_LINE || result == GPIO_LINES_HELD
  return DeviceFailure(
    device: device, kind: kind, subject: isLineToBlame ? "\(chipPath) line \(offset)" : chipPath, problem: problem,
    remedy: remedy, systemErrorNumber: reason)
}

/// Up to eight line numbers on a GPIO chip, in the order of their bits.
struct LineOffsets {
  private(set) var offsets = InlineArray<8, UInt32>(repeating: 0)
  private(set) var count = 0

  mutating func append(_ offset: UInt32) {
    offsets[count] = offset
    count += 1
  }
}

/// The buttons on GPIO lines, read together with one system call, plus presses from the console.
package struct GPIOButtons: ButtonsDriver, ~Copyable {
  private let place = StaysInPlace()
  private let settings: LinuxSettings
  private var lines: GPIOLines?
  private var buttonOfLine = InlineArray<8, UInt8>(repeating: 0)
  private var lineCount = 0
  private var injected = InjectedButtons()

  init(settings: LinuxSettings) {
    self.settings = settings
  }

  /// Requests the lines of all wired buttons, with a bias towards the level of a released button.
  package mutating func open() throws(DeviceFailure) {
    DeviceArena.serve { lines = nil }
    lineCount = 0
    var offsets = LineOffsets()
    for button in 0..<Button.count {
      guard let offset = settings.buttonLineOffsets[button] else { continue }
      offsets.append(offset)
      buttonOfLine[lineCount] = UInt8(button)
      lineCount += 1
    }
    guard lineCount > 0 else { return }
    lines = try DeviceArena.serve { () throws(DeviceFailure) in
      try GPIOLines(
        of: .buttons, chipPath: settings.buttonChipPath, offsets: offsets, areOutputs: false,
        areActiveLow: settings.buttonsAreActiveLow)
    }
  }

  /// Whether the power line's polarity differs from that of the buttons: the request has one polarity for all lines.
  private var hasOtherPolarity: Bool { settings.powerIsActiveLow != settings.buttonsAreActiveLow }

  /// For the lines as requested; a line that is not wired has no edges to miss.
  package var tellsEdges: Bool {
    switch lines {
    case .some(let lines): lines.tellsEdges
    case .none: true
    }
  }

  package func add(to sources: inout WakeSources) {
    switch lines {
    case .some(let lines): lines.add(to: &sources)
    case .none: break
    }
  }

  /// The kernel's timestamp is that of the interrupt; does not allocate.
  package mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge? {
    guard let edge = try lines?.nextEdge(), let button = Button(rawValue: buttonOfLine[Int(edge.line)]) else {
      return nil
    }
    let isInverted = button == .power && hasOtherPolarity
    return ButtonEdge(button, isDown: edge.is_active != isInverted, at: Instant(edge.nanoseconds))
  }

  /// Makes one system call for all lines; does not allocate.
  package mutating func read(at now: Instant) throws(DeviceFailure) -> ButtonSet {
    var pressed = injected.pressed(at: now)
    let active = try lines?.read() ?? 0
    for line in 0..<lineCount {
      let isInverted = buttonOfLine[line] == Button.power.rawValue && hasOtherPolarity
      if (active & (1 << UInt32(line)) != 0) != isInverted { pressed.bits |= 1 << buttonOfLine[line] }
    }
    return pressed
  }

  package mutating func inject(_ button: Button, from: Instant, to: Instant) {
    injected.hold(button, from: from, to: to)
  }
}

package struct GPIOLEDs: LEDDriver, ~Copyable {
  private let settings: LinuxSettings
  private var lines: GPIOLines?
  /// The last values written to the lines; nil if unknown.
  private var shown: UInt32?
  /// What was to be shown last, including LEDs that are not wired.
  private var wanted = LEDSet()

  init(settings: LinuxSettings) {
    self.settings = settings
  }

  /// Requests the lines of the wired LEDs, which start off.
  package mutating func open() throws(DeviceFailure) {
    lines = nil
    shown = nil
    var offsets = LineOffsets()
    for index in LED.all.indices {
      if let offset = settings.ledLineOffsets[index] { offsets.append(UInt32(offset)) }
    }
    guard offsets.count > 0 else { return }
    lines = try GPIOLines(
      of: .leds, chipPath: settings.ledChipPath, offsets: offsets, areOutputs: true, areActiveLow: false)
  }

  /// The bit of an LED among the lines; 0 if it is not wired.
  private func bit(of led: LED) -> UInt32 {
    guard settings.ledLineOffsets[Int(led.rawValue)] != nil else { return 0 }
    var bit: UInt32 = 1
    for index in 0..<Int(led.rawValue) where settings.ledLineOffsets[index] != nil { bit <<= 1 }
    return bit
  }

  /// A chip reports the level of an output as it does that of an input.
  package mutating func readLevels() throws(DeviceFailure) -> LEDSet? {
    guard shown != nil, let active = try lines?.read() else { return nil }
    var levels = wanted
    for index in LED.all.indices {
      let bit = bit(of: LED.all[index])
      if bit != 0 { levels[LED.all[index]] = active & bit != 0 }
    }
    return levels
  }

  /// Makes a system call only if something changes; does not allocate.
  package mutating func show(_ lit: LEDSet) throws(DeviceFailure) {
    wanted = lit
    var active: UInt32 = 0
    for index in LED.all.indices where lit[LED.all[index]] { active |= bit(of: LED.all[index]) }
    guard active != shown else { return }
    try lines?.write(active)
    shown = active
  }
}
