import Text
import Values
import Viewing

/// The text, the red dot and the level meters over the picture, laid out upright for the user.
struct Overlay {
  private let status: ShownStatus
  /// From the upright view to the display.
  private let rotation: QuarterTurn
  private let size: PixelSize
  /// Display pixels per pixel of a character: letters are a twentieth of the shorter side high on any display.
  private let unit: Int

  init(_ status: ShownStatus, rotation: QuarterTurn, canvas: PixelSize) {
    self.status = status
    self.rotation = rotation
    size = canvas.rotated(by: rotation)
    unit = max(1, (min(size.width, size.height) + 60) / 150)
  }

  private var margin: Int { 3 * unit }
  /// The black outline that keeps everything readable on any picture.
  private var edge: Int { max(1, unit / 2) }
  private var lineHeight: Int { (Glyph.height + 4) * unit }
  private var bottomLine: Int { size.height - margin - Glyph.height * unit }

  func draw(hasPicture: Bool, onto canvas: inout Canvas) {
    if let time = status.takeTime { drawTake(time, onto: &canvas) }
    if let zoom = status.zoom { draw(zoom, x: size.width - margin - width(of: zoom), y: margin, onto: &canvas) }
    draw(status.freeSpace, x: size.width - margin - width(of: status.freeSpace), y: bottomLine, onto: &canvas)
    drawMeter(0, onto: &canvas)
    drawMeter(1, onto: &canvas)
    drawFaults(onto: &canvas)
    if !hasPicture {
      drawMiddle("NO PICTURE", y: (size.height - Glyph.height * unit) / 2, ground: .black, onto: &canvas)
    }
  }

  private func width<let capacity: Int>(of text: FixedText<capacity>) -> Int {
    max(0, text.byteCount * Glyph.advance - 1) * unit
  }

  private func drawTake(_ time: FixedText<16>, onto canvas: inout Canvas) {
    let diameter = Glyph.height * unit
    drawDisc(
      diameter: diameter + 2 * edge, x: margin - edge, y: margin - edge, ink: .black, onto: &canvas)
    drawDisc(diameter: diameter, x: margin, y: margin, ink: .red, onto: &canvas)
    draw(time, x: margin + (Glyph.height + 3) * unit, y: margin, onto: &canvas)
  }

  /// A disc of an odd or even diameter, row by row.
  private func drawDisc(diameter: Int, x: Int, y: Int, ink: Ink, onto canvas: inout Canvas) {
    for row in 0..<diameter {
      let height = Float(2 * row + 1 - diameter)
      let chord = Int((Float(diameter * diameter) - height * height).squareRoot())
      let line = PixelRectangle(x: x + (diameter - chord) / 2, y: y + row, width: chord, height: 1)
      canvas.fill(line, rotated: rotation, with: ink)
    }
  }

  /// One line for each fault, below the time.
  private func drawFaults(onto canvas: inout Canvas) {
    var y = margin + lineHeight
    var number: UInt32 = 0
    while let fault = ViewFault(rawValue: number) {
      number += 1
      guard status.faults & fault.bit != 0 else { continue }
      drawMiddle(fault.words, y: y, ground: .red, onto: &canvas)
      y += lineHeight
    }
  }

  private func drawMiddle(_ words: StaticString, y: Int, ground: Ink, onto canvas: inout Canvas) {
    var text = FixedText<32>()
    text.append(words)
    let x = (size.width - width(of: text)) / 2
    let box = PixelRectangle(x: x, y: y, width: width(of: text), height: Glyph.height * unit).grown(by: unit)
    canvas.fill(box, rotated: rotation, with: ground)
    draw(text, x: x, y: y, onto: &canvas)
  }

  private func draw<let capacity: Int>(_ text: FixedText<capacity>, x: Int, y: Int, onto canvas: inout Canvas) {
    draw(text, x: x, y: y, ink: .black, grownBy: edge, onto: &canvas)
    draw(text, x: x, y: y, ink: .white, grownBy: 0, onto: &canvas)
  }

  private func draw<let capacity: Int>(
    _ text: FixedText<capacity>, x: Int, y: Int, ink: Ink, grownBy margin: Int, onto canvas: inout Canvas
  ) {
    for index in 0..<text.byteCount {
      for row in 0..<Glyph.height {
        for column in 0..<Glyph.width where Glyph.hasInk(text.bytes[index], column: column, row: row) {
          let pixel = PixelRectangle(
            x: x + (index * Glyph.advance + column) * unit, y: y + row * unit, width: unit, height: unit)
          canvas.fill(pixel.grown(by: margin), rotated: rotation, with: ink)
        }
      }
    }
  }

  /// A channel's bar at the lower left: green, yellow from -12 dBFS, red from -3 dBFS.
  private func drawMeter(_ channel: Int, onto canvas: inout Canvas) {
    let height = 3 * unit
    let decibels = Int(-ShownStatus.quietestDecibels)
    let y = bottomLine + channel * (height + unit)
    let lit = Int(status.meterDecibels[channel])
    // Half the display's width, rounded down to a whole number of pixels per decibel.
    let step = max(1, size.width / 2 / decibels)
    let bar = PixelRectangle(x: margin, y: y, width: decibels * step, height: height)
    canvas.fill(bar.grown(by: edge), rotated: rotation, with: .black)
    for level in 0..<decibels {
      let ink: Ink = level >= lit ? .grey : level < decibels - 12 ? .green : level < decibels - 3 ? .yellow : .red
      let part = PixelRectangle(x: margin + level * step, y: y, width: step, height: height)
      canvas.fill(part, rotated: rotation, with: ink)
    }
  }
}
