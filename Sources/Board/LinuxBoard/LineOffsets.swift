/// Up to eight line numbers of a GPIO chip, in the order of the bits that stand for them.
struct LineOffsets {
  private(set) var offsets = InlineArray<8, UInt32>(repeating: 0)
  private(set) var count = 0

  mutating func append(_ offset: UInt32) {
    offsets[count] = offset
    count += 1
  }
}
