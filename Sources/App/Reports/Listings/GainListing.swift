import Base
import Console
import Machine

extension Services {
  /// Answers `gain` with what the driver tells.
  mutating func listGains(_ form: StatusForm, _ list: ControlList) {
    guard list.count > 0 || form == .json else { return console.refuse(Self.noGain) }
    var writer = ListingWriter(form)
    writer.beginRows("gains", "gain                                 dB     least      most", &console)
    for index in 0..<list.count {
      guard let gain = list[index] else { continue }
      writer.beginRow()
      writer.cell("name", text: gain.name.bytes, columns: 30)
      writer.cell("db", .decimal(gain.value.decibels, decimals: 2), columns: 9, console)
      writer.cell("min_db", .decimal(gain.least.decibels, decimals: 2), columns: 10, console)
      writer.cell("max_db", .decimal(gain.most.decibels, decimals: 2), columns: 10, console)
      writer.endRow(&console)
    }
    writer.endRows()
    writer.end(&console)
  }

  private static var noGain: FixedText<256> { "the microphone has no adjustable gain" }

  /// `gain DB` and `gain NAME DB`: has it set if it is within the driver's own range.
  mutating func setGain(_ name: FixedText<32>?, to hundredths: Int64, in list: ControlList, at now: Instant) {
    guard list.count > 0 else { return console.refuse(Self.noGain) }
    guard let gain = list.gain(named: name) else {
      return console.refuse("there is no gain \(name ?? ""): gain lists them")
    }
    guard gain.least <= hundredths, hundredths <= gain.most else {
      return console.refuse(gain.refusal(of: hundredths))
    }
    ask(.settingGain(gain.name, identifier: gain.identifier, hundredths: hundredths), at: now)
  }

  /// Tells what the card has made of it.
  mutating func tellGain(_ name: FixedText<32>, to hundredths: Int64, _ list: ControlList) {
    guard let gain = list.control(named: name) else {
      return console.refuse("there is no gain \(name): gain lists them")
    }
    self.gain.keep(name, hundredths: hundredths)
    guard gain.value == hundredths else {
      return console.answer(
        """
        gain \(name) is \(gain.value.decibels, decimals: 2) dB, not \(hundredths.decibels, decimals: 2): the nearest \
        that the card has
        """ as FixedText<256>)
    }
    console.answer("gain \(name) is \(gain.value.decibels, decimals: 2) dB")
  }
}
