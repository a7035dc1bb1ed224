import Base

/// The buttons on GPIO lines, read together with one system call, plus presses from the console.
package struct GPIOButtons: ButtonsDriver, ~Copyable {
  private let settings: LinuxSettings
  private var lines: GPIOLines?
  /// Which button each line of the request is.
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

  /// Whether the power's line is active at the level at which a button is up: the request has one polarity for all.
  private var hasOtherPolarity: Bool { settings.powerIsActiveLow != settings.buttonsAreActiveLow }

  /// One system call for all lines; takes nothing from the heap.
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
