/// What may be drawn on the console's terminal.
package struct TerminalLooks: Equatable, Sendable {
  /// Whether it has no control functions: nothing is drawn in place.
  package var isDumb: Bool
  /// Whether colours are shown, and wanted.
  package var hasColour: Bool
  /// Whether it shows the block elements of Unicode, such as a third of a cell.
  package var hasBlocks: Bool

  /// A VT100, unless more is known of it.
  package init(isDumb: Bool = false, hasColour: Bool = false, hasBlocks: Bool = false) {
    self.isDumb = isDumb
    self.hasColour = hasColour
    self.hasBlocks = hasBlocks
  }

  /// As the environment says. A terminal without a name, as behind a serial line, is taken for a VT100.
  /// - Parameters:
  ///   - name: of the terminal, `TERM`; empty where it is not set.
  ///   - locale: empty where none is set.
  ///   - refusesColour: whether `NO_COLOR` is set and not empty (no-color.org).
  package init(name: Span<UInt8>, locale: Span<UInt8>, refusesColour: Bool) {
    isDumb = name.isWord("dumb")
    let isPlain =
      isDumb || name.isEmpty || name.count >= 2 && name[0] == UInt8(ascii: "v") && name[1] == UInt8(ascii: "t")
    hasColour = !isPlain && !refusesColour
    hasBlocks = !isPlain && locale.namesUTF8
  }
}

extension Span where Element == UInt8 {
  fileprivate func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in indices where unsafe self[index] != word.utf8Start[index] { return false }
    return true
  }

  /// Whether a locale such as `ko_KR.UTF-8` or `C.utf8` has that encoding.
  fileprivate var namesUTF8: Bool {
    guard count >= 4 else { return false }
    let isDashed = self[count - 2] == UInt8(ascii: "-")
    let start = count - (isDashed ? 5 : 4)
    return start >= 0 && self[count - 1] == UInt8(ascii: "8") && self[start] | 0x20 == UInt8(ascii: "u")
      && self[start + 1] | 0x20 == UInt8(ascii: "t") && self[start + 2] | 0x20 == UInt8(ascii: "f")
  }
}
