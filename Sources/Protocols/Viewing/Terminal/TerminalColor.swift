/// A colour of a terminal that has 24 bits for it.
struct TerminalColor: BitwiseCopyable, Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// The nearest of 216, six steps each way: number of the terminal's colour register.
  var register: Int {
    func step(_ value: UInt8) -> Int { (Int(value) * 5 + 127) / 255 }
    return step(red) * 36 + step(green) * 6 + step(blue)
  }
}
