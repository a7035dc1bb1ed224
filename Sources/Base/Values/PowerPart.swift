/// A part of the machine that uses power whether the recorder needs it or not.
package enum PowerPart: UInt8, BitwiseCopyable, Sendable {
  /// The processor, whose frequency follows a governor.
  case processor
  /// The HDMI connectors.
  case hdmi
  /// The LEDs of the board itself, such as ACT and PWR of a Raspberry Pi.
  case boardLEDs
  /// Wi-Fi.
  case wifi
  /// The USB devices that nothing uses.
  case usb

  /// All parts, indexed by raw value.
  package static var all: PerPowerPart<PowerPart> { [.processor, .hdmi, .boardLEDs, .wifi, .usb] }

  /// The key under `[power]`, and the name in output.
  package var name: StaticString {
    switch self {
    case .processor: "cpu"
    case .hdmi: "hdmi"
    case .boardLEDs: "board_leds"
    case .wifi: "wifi"
    case .usb: "usb"
    }
  }
}

/// One element per part, indexed by raw value.
package typealias PerPowerPart<Element> = InlineArray<5, Element>

/// A frequency governor of the kernel (Documentation/admin-guide/pm/cpufreq.rst).
package enum Governor: UInt8, BitwiseCopyable, Choice {
  /// The lowest frequency.
  case powersave
  case conservative
  case ondemand
  /// By the scheduler's own measure of the load.
  case schedutil
  /// The highest frequency.
  case performance

  /// The kernel's name for it.
  package var name: StaticString {
    switch self {
    case .powersave: "powersave"
    case .conservative: "conservative"
    case .ondemand: "ondemand"
    case .schedutil: "schedutil"
    case .performance: "performance"
    }
  }
}

/// What happens to a part of the machine.
package enum PowerSaving: UInt8, BitwiseCopyable, Choice {
  case unchanged
  case off

  /// The name in the configuration.
  package var name: StaticString {
    switch self {
    case .unchanged: "unchanged"
    case .off: "off"
    }
  }
}

/// What is to happen to each ``PowerPart``. A new value leaves all as they are.
package struct PowerWishes: BitwiseCopyable, Equatable, Sendable {
  /// Nil leaves the processor's governor as it is.
  package var governor: Governor?
  package var hdmi = PowerSaving.unchanged
  package var boardLEDs = PowerSaving.unchanged
  package var wifi = PowerSaving.unchanged
  package var usb = PowerSaving.unchanged

  package init() {}

  /// Whether nothing is to be changed.
  package var isEmpty: Bool { self == PowerWishes() }

  /// Whether a part is to be changed.
  package func includes(_ part: PowerPart) -> Bool {
    switch part {
    case .processor: governor != nil
    case .hdmi: hdmi == .off
    case .boardLEDs: boardLEDs == .off
    case .wifi: wifi == .off
    case .usb: usb == .off
    }
  }

  /// The word of the configuration for a part.
  package func word(for part: PowerPart) -> StaticString {
    guard includes(part) else { return PowerSaving.unchanged.name }
    return part == .processor ? governor?.name ?? "" : PowerSaving.off.name
  }
}
