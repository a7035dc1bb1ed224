import Text

/// Looks for two settings that name the same line of the same chip.
struct SharedPinFinder: SettingVisitor {
  /// Every pin seen so far; the table has fewer than fit.
  private var pins = InlineArray<16, PinSetting?>(repeating: nil)
  private var pinCount = 0
  private var section: StaticString = ""
  private var index = 0
  private(set) var sharedPins: (PinSetting, PinSetting)?

  mutating func section(_ name: StaticString) { section = name }

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind) { index += 1 }

  mutating func pin(_ key: StaticString, _ offset: inout UInt16?, on chip: DeviceName) {
    if let offset {
      check(PinSetting(section: section, key: key, chipName: chip, offset: offset, index: index))
    }
    index += 1
  }

  private mutating func check(_ pin: PinSetting) {
    for other in 0..<pinCount {
      guard let known = pins[other], known.offset == pin.offset, known.chipName == pin.chipName else { continue }
      sharedPins = (known, pin)
    }
    pins[pinCount] = pin
    pinCount += 1
  }
}
