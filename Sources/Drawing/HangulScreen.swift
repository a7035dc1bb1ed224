import Base
import Kit
import Wire

/// The Hangul clock: six rows of six syllables, as large as fits, of which the unlit ones are dimmed.
struct HangulScreen {
  /// From one syllable to the next, in pixels of a syllable.
  private static var pitch: Int { UnifontGlyph.height + 1 }
  /// Of an unlit syllable, so that the board can be seen.
  private static var dimmest: Int { 48 }

  private let levels: HangulBoardLevels
  private let scale: Int
  private let x: Int
  private let y: Int

  init(_ levels: HangulBoardLevels, in place: PixelRectangle) {
    self.levels = levels
    let length = HangulBoard.side * Self.pitch - 1
    scale = max(0, min(place.width, place.height) / length)
    x = place.x + (place.width - length * scale) / 2
    y = place.y + (place.height - length * scale) / 2
  }

  /// Draws nothing where it does not fit.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    guard scale > 0 else { return }
    for place in levels.levels.indices {
      let syllable = HangulBoard.syllable(at: place)
      var characters = DrawnCharacters(syllable.bytes)
      guard let character = characters.next() else { return }
      let glyph = UnifontGlyph(character)
      let (row, column) = place.quotientAndRemainder(dividingBy: HangulBoard.side)
      // The dot is half as wide.
      let indent = (UnifontGlyph.height - glyph.width) / 2
      let level = Self.dimmest + Int(levels.levels[place]) * (255 - Self.dimmest) / 255
      pen.draw(
        glyph, x: x + (column * Self.pitch + indent) * scale, y: y + row * Self.pitch * scale, scale: scale,
        with: Ink(grey: UInt8(level)), grownBy: Pen.weight(scale), onto: &canvas)
    }
  }
}
