import Base
import Wire

/// The overlay of the picture, or of an application's screen: drawn upright for the user.
struct Overlay {
  private let status: ShownStatus
  private let layout: OverlayLayout
  private let pen: Pen

  init(_ status: ShownStatus, rotation: QuarterTurn, canvas: PixelSize, _ lettering: Lettering) {
    self.status = status
    pen = Pen(rotation: rotation, lettering: lettering)
    layout = OverlayLayout(status, size: canvas.rotated(by: rotation), lettering)
  }

  func draw(hasPicture: Bool, onto canvas: inout Canvas) {
    drawMiddle(hasPicture, onto: &canvas)
    if let time = status.takeTime { drawTake(time, onto: &canvas) }
    if let zoom = status.zoom { draw(zoom, in: layout.zoom, onto: &canvas) }
    drawFaults(onto: &canvas)
    guard status.showsDeck else { return }
    LevelMeters(status, layout).draw(with: pen, onto: &canvas)
    draw(status.room, in: layout.room, onto: &canvas)
    if let percent = status.batteryPercent { drawBattery(Int(percent), onto: &canvas) }
    if let player = status.player, status.application != .player { draw(player, onto: &canvas) }
  }

  /// The place of the artwork, upright; nil if it is not shown.
  var artworkPlace: PixelRectangle? {
    guard status.application == .player, let player = status.player else { return nil }
    return PlayerScreen(player, layout).artworkPlace
  }

  private func drawMiddle(_ hasPicture: Bool, onto canvas: inout Canvas) {
    switch status.application {
    case .viewfinder:
      guard !hasPicture, layout.middle.height >= layout.textSize.lineHeight else { return }
      let y = layout.middle.y + (layout.middle.height - layout.textSize.lineHeight) / 2
      drawLine("NO PICTURE", y: y, ground: .black, onto: &canvas)
    case .hangulClock(let board): HangulScreen(board, in: layout.middle).draw(with: pen, onto: &canvas)
    case .player:
      if let player = status.player { PlayerScreen(player, layout).draw(with: pen, onto: &canvas) }
    case .tuner(let reading): TunerScreen(reading, layout, status.language).draw(with: pen, onto: &canvas)
    case .chord(let reading): ChordScreen(reading, layout).draw(with: pen, onto: &canvas)
    case .metronome(let reading): MetronomeScreen(reading, layout).draw(with: pen, onto: &canvas)
    }
  }

  private func drawTake(_ time: FixedText<16>, onto canvas: inout Canvas) {
    let (place, size) = (layout.take, layout.takeSize)
    // A little smaller than the digits, and centred on them.
    let side = size.digitHeight * 4 / 5
    let dot = PixelRectangle(x: place.x, y: place.y + (size.digitHeight - side) / 2, width: side, height: side)
    pen.drawDisc(in: dot.grown(by: size.edge), with: .black, onto: &canvas)
    pen.drawDisc(in: dot, with: .red, onto: &canvas)
    pen.draw(
      time.bytes, x: place.x + layout.takeIndent, y: place.y + size.digitHeight - size.baseline, size, with: .white,
      isOutlined: true, onto: &canvas)
  }

  /// Draws a line for each fault; if they do not all fit, the last line counts the rest.
  private func drawFaults(onto canvas: inout Canvas) {
    var y = layout.faults.y
    var leftCount = layout.faultLineCount
    var unshownCount = status.faults.nonzeroBitCount
    var number: UInt32 = 0
    while leftCount > 0, let fault = ViewFault(rawValue: number) {
      number += 1
      guard status.faults & fault.bit != 0 else { continue }
      if leftCount == 1, unshownCount > 1 {
        drawLine("+\(unshownCount) MORE", y: y, ground: .red, onto: &canvas)
      } else {
        drawLine("\(fault.words)", y: y, ground: .red, onto: &canvas)
      }
      y += layout.textSize.lineHeight + layout.gap
      leftCount -= 1
      unshownCount -= 1
    }
  }

  /// Draws a line centred on the display's width.
  private func drawLine(_ words: FixedText<48>, y: Int, ground: Ink, onto canvas: inout Canvas) {
    let text = Messages.displayed(words, in: status.language)
    let width = pen.lettering.width(of: text.bytes, layout.textSize)
    let x = layout.middle.x + (layout.middle.width - width) / 2
    let box = PixelRectangle(x: x - layout.gap, y: y, width: width + 2 * layout.gap, height: layout.textSize.lineHeight)
    pen.fill(box, with: ground, onto: &canvas)
    pen.draw(text.bytes, x: x, y: y, layout.textSize, with: .white, onto: &canvas)
  }

  private func draw(_ player: ShownPlayer, onto canvas: inout Canvas) {
    let title = player.title.fitted(layout.title(layout.title.width))
    draw(title, in: layout.title, layout.titleSize, onto: &canvas)
    draw(player.times, in: layout.times, onto: &canvas)
    let bar = PixelRectangle(
      x: layout.title.x, y: layout.title.bottom - layout.gap - layout.unit / 2, width: layout.title.width,
      height: 2 * layout.unit)
    drawProgress(player.permille, in: bar, onto: &canvas)
  }

  /// Draws a battery that is filled from the left: white, and red when it is low.
  private func drawBattery(_ percent: Int, onto canvas: inout Canvas) {
    var outline = layout.battery
    let unit = layout.unit
    guard outline.width > 0 else { return }
    outline.width -= 2 * unit
    let knob = PixelRectangle(
      x: outline.x + outline.width, y: outline.y + outline.height / 3, width: 2 * unit, height: outline.height / 3)
    pen.fill(outline.grown(by: unit), with: .black, onto: &canvas)
    pen.fill(outline, with: .white, onto: &canvas)
    pen.fill(knob, with: .white, onto: &canvas)
    pen.fill(outline.grown(by: -unit), with: .black, onto: &canvas)
    var charge = outline.grown(by: -2 * unit)
    charge.width = charge.width * percent / 100
    pen.fill(charge, with: status.faults & ViewFault.lowBattery.bit == 0 ? .white : .red, onto: &canvas)
  }

  private func drawProgress(_ permille: Int, in bar: PixelRectangle, onto canvas: inout Canvas) {
    pen.fill(bar.grown(by: layout.textSize.edge), with: .black, onto: &canvas)
    pen.fill(bar, with: .grey, onto: &canvas)
    var heard = bar
    heard.width = bar.width * permille / 1000
    pen.fill(heard, with: .white, onto: &canvas)
  }

  private func draw<let capacity: Int>(
    _ text: FixedText<capacity>, in place: PixelRectangle, _ size: LetterSize? = nil, onto canvas: inout Canvas
  ) {
    pen.draw(text.bytes, x: place.x, y: place.y, size ?? layout.textSize, with: .white, isOutlined: true, onto: &canvas)
  }
}
