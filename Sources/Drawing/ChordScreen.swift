import Base
import Wire

/// A chord diagram as guitarists draw it: the strings upright, the lowest on the left, with the fingers on five frets.
struct ChordScreen {
  private static var fretCount: Int { 5 }

  private let reading: ChordReading
  private let layout: OverlayLayout
  /// The distance from string to string, and from fret to fret.
  private let cell: Int
  private let nameSize: LetterSize
  /// The point where the lowest string meets the top line.
  private let x: Int
  private let y: Int

  init(_ reading: ChordReading, _ layout: OverlayLayout) {
    self.reading = reading
    self.layout = layout
    let place = layout.middle
    let largest = LetterSize(em: place.height / 6)
    let nameWidth = max(1, layout.lettering.width(of: reading.name.bytes, largest))
    nameSize = nameWidth <= place.width ? largest : LetterSize(em: largest.em * place.width / nameWidth)
    // One cell above the frets for the strings that are not pressed, and half a cell below; one and a half on each
    // side, for the number of the first fret.
    let nameHeight = nameSize.lineHeight
    cell = max(0, min((place.height - nameHeight) * 2 / (2 * Self.fretCount + 3), place.width / 8))
    x = place.x + (place.width - 5 * cell) / 2
    y = place.y + (place.height + nameHeight - (Self.fretCount + 1) * cell) / 2 + cell
  }

  /// The size of the first fret's number and of the signs on the strings.
  private var signSize: LetterSize { LetterSize(em: cell * 7 / 10) }

  /// The fret of the top row: 1 as long as all fingers are within five frets of the nut.
  private var firstFret: Int {
    var lowest = 24
    var highest = 0
    for string in 0..<6 where reading.frets[string] > 0 {
      lowest = min(lowest, Int(reading.frets[string]))
      highest = max(highest, Int(reading.frets[string]))
    }
    return highest <= Self.fretCount ? 1 : lowest
  }

  /// Draws nothing if the strings would be too close to tell apart.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    guard cell >= 12 else { return }
    pen.draw(
      reading.name.bytes, in: layout.middle, y: y - cell - nameSize.lineHeight, nameSize, with: .white, onto: &canvas)
    let line = max(1, cell / 24)
    for string in 0..<6 {
      let upright = PixelRectangle(x: x + string * cell - line / 2, y: y, width: line, height: Self.fretCount * cell)
      pen.fill(upright, with: .pale, onto: &canvas)
    }
    for fret in 0...Self.fretCount {
      // The nut is wider than a fret.
      let height = fret == 0 && firstFret == 1 ? 4 * line : line
      let across = PixelRectangle(
        x: x - line / 2, y: y + fret * cell - height / 2, width: 5 * cell + line, height: height)
      pen.fill(across, with: .pale, onto: &canvas)
    }
    if firstFret > 1 { drawFirstFret(pen, &canvas) }
    for finger in 1...4 as ClosedRange<Int8> { drawBarre(finger, pen, &canvas) }
    for string in 0..<6 { draw(string, pen, &canvas) }
  }

  private func drawFirstFret(_ pen: Pen, _ canvas: inout Canvas) {
    var number = FixedText<8>()
    number.append(integer: firstFret)
    let width = pen.lettering.width(of: number.bytes, signSize)
    // The digit is centred on the fret.
    let baseline = y + (cell + signSize.digitHeight) / 2
    pen.draw(
      number.bytes, x: x - cell / 2 - width, y: baseline - signSize.baseline, signSize, with: .white, onto: &canvas)
  }

  /// Draws a finger that presses several strings.
  private func drawBarre(_ finger: Int8, _ pen: Pen, _ canvas: inout Canvas) {
    var first: Int?
    var last = 0
    for string in 0..<6 where reading.fingers[string] == finger && reading.frets[string] > 0 {
      if first == nil { first = string }
      last = string
    }
    guard let first, let row = row(first), first < last else { return }
    let height = cell / 4
    let bar = PixelRectangle(
      x: x + first * cell, y: y + row * cell + (cell - height) / 2, width: (last - first) * cell, height: height)
    pen.fill(bar, with: .white, onto: &canvas)
  }

  /// The row in which a string is pressed; nil if it is not, or is pressed beyond the drawn frets.
  private func row(_ string: Int) -> Int? {
    let row = Int(reading.frets[string]) - firstFret
    return reading.frets[string] > 0 && row < Self.fretCount ? row : nil
  }

  private func draw(_ string: Int, _ pen: Pen, _ canvas: inout Canvas) {
    let fret = Int(reading.frets[string])
    guard fret > 0 else {
      return pen.draw(
        fret == 0 ? "○" : "×", middleX: x + string * cell, middleY: y - cell / 2, signSize, with: .white, onto: &canvas)
    }
    guard let row = row(string) else { return }
    let side = cell * 3 / 4
    let disc = PixelRectangle(
      x: x + string * cell - side / 2, y: y + row * cell + (cell - side) / 2, width: side, height: side)
    pen.drawDisc(in: disc, with: .white, onto: &canvas)
    guard (1...4).contains(reading.fingers[string]) else { return }
    pen.draw(
      Unicode.Scalar(UInt8(ascii: "0") + UInt8(reading.fingers[string])), middleX: disc.x + side / 2,
      middleY: disc.y + side / 2, signSize, with: .black, onto: &canvas)
  }
}
