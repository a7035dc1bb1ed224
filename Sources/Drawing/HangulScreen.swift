import Base
import Kit
import Wire

/// The Hangul clock: six rows of six syllables, as large as fits, with the unlit ones dimmed.
struct HangulScreen {
  /// The level of an unlit syllable, so that the grid stays visible.
  private static var dimmest: Int { 48 }

  private let levels: HangulBoardLevels
  /// The distance from one syllable to the next.
  private let pitch: Int
  private let x: Int
  private let y: Int

  init(_ levels: HangulBoardLevels, in place: PixelRectangle) {
    self.levels = levels
    pitch = max(0, min(place.width, place.height) / HangulBoard.side)
    x = place.x + (place.width - HangulBoard.side * pitch) / 2
    y = place.y + (place.height - HangulBoard.side * pitch) / 2
  }

  /// Draws nothing if the syllables would be illegible.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    guard pitch >= 12 else { return }
    let size = LetterSize(em: pitch * 9 / 10)
    for place in levels.levels.indices {
      let syllable = HangulBoard.syllable(at: place)
      let (row, column) = place.quotientAndRemainder(dividingBy: HangulBoard.side)
      let cell = PixelRectangle(x: x + column * pitch, y: y + row * pitch, width: pitch, height: pitch)
      let level = Self.dimmest + Int(levels.levels[place]) * (255 - Self.dimmest) / 255
      // The middle of a syllable is about 0.36 em above the baseline.
      pen.draw(
        syllable.bytes, in: cell, y: cell.y + pitch / 2 + size.em * 36 / 100 - size.baseline, size,
        with: Ink(grey: UInt8(level)), onto: &canvas)
    }
  }
}
