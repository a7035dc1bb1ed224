import Base
import CGPIO

/// Lines of one GPIO chip in one request; they are released when the value is destroyed.
// Destroyed with the machine, in another module: that module must see its deinit.
@usableFromInline @safe package struct GPIOLines: ~Copyable {
  // Sound: libgpiod's request is used only through this value and closed once, at its end.
  private var lines: gpio_lines
  private let device: Device
  private let chipPath: FixedText<64>

  /// - Parameters:
  ///   - device: named by failures.
  ///   - offsets: the lines' numbers on the chip; their order is that of the bits in ``read()`` and ``write(_:)``.
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

  /// Bit n is set when line n is active at this moment.
  mutating func read() throws(DeviceFailure) -> UInt32 {
    var active: UInt32 = 0
    guard unsafe gpio_lines_read(&lines, &active) else { throw failure("cannot be read") }
    return active
  }

  /// Makes line n active where bit n is set, all at once.
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

/// Up to eight line numbers of a GPIO chip, in the order of their bits.
struct LineOffsets {
  private(set) var offsets = InlineArray<8, UInt32>(repeating: 0)
  private(set) var count = 0

  mutating func append(_ offset: UInt32) {
    offsets[count] = offset
    count += 1
  }
}
