/// Equal columns of a band, counted instead of repeated: `!N` and the character.
struct SixelRun {
  private var bits: UInt8 = 0
  private var count = 0

  mutating func add(_ bits: UInt8, into text: inout DrawingText) {
    if bits != self.bits { finish(into: &text) }
    self.bits = bits
    count += 1
  }

  mutating func finish(into text: inout DrawingText) {
    let character = UInt8(ascii: "?") + bits
    if count > 3 {
      text.append("!")
      text.append(decimal: count)
      text.append(character)
    } else {
      for _ in 0..<count { text.append(character) }
    }
    count = 0
  }
}
