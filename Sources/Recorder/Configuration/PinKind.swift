import Text

/// The offset of a line on its GPIO chip, or `none`.
struct PinKind: SettingKind {
  private var kind: OptionalKind<WholeNumberKind<UInt16>> {
    OptionalKind(word: "none", wrapped: WholeNumberKind(0...1023, "line of the chip"))
  }

  func parse(_ text: Span<UInt8>) -> UInt16?? { kind.parse(text) }

  func append(_ value: UInt16?, to text: inout FixedText<64>) { kind.append(value, to: &text) }

  func appendExpectation(to text: inout FixedText<256>) { kind.appendExpectation(to: &text) }
}
