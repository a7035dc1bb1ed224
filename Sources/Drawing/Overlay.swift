import Base
import Wire

/// What stands over the picture, or an application's screen: drawn upright for the user.
struct Overlay {
  private let status: ShownStatus
  private let layout: OverlayLayout
  private let pen: Pen

  init(_ status: ShownStatus, rotation: QuarterTurn, canvas: PixelSize) {
    self.status = status
    pen = Pen(rotation: rotation)
    layout = OverlayLayout(status, size: canvas.rotated(by: rotation))
  }

  /// The black outline that keeps everything readable on any picture.
  private var edge: Int { (layout.scale + 3) / 2 }

  func draw(hasPicture: Bool, onto canvas: inout Canvas) {
    drawMiddle(hasPicture, onto: &canvas)
    if let time = status.takeTime { drawTake(time, onto: &canvas) }
    if let zoom = status.zoom { draw(zoom, in: layout.zoom, onto: &canvas) }
    drawFaults(onto: &canvas)
    guard status.showsDeck else { return }
    LevelMeters(status, in: layout.meters, scale: layout.scale, smallScale: layout.smallScale)
      .draw(with: pen, onto: &canvas)
    draw(status.room, in: layout.room, onto: &canvas)
    if let player = status.player, status.application != .player { draw(player, onto: &canvas) }
  }

  /// Where the artwork belongs, upright; nil where it is not shown.
  var artworkPlace: PixelRectangle? {
    guard status.application == .player, let player = status.player else { return nil }
    return PlayerScreen(player, layout).artworkPlace
  }

  private func drawMiddle(_ hasPicture: Bool, onto canvas: inout Canvas) {
    switch status.application {
    case .viewfinder:
      guard !hasPicture, layout.middle.height >= layout.lineHeight else { return }
      let y = layout.middle.y + (layout.middle.height - layout.lineHeight) / 2
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
    let (place, scale) = (layout.take, layout.takeScale)
    let edge = scale / 3 + 1
    // A little smaller than the digits, and in their middle.
    let dot = PixelRectangle(x: place.x, y: place.y + scale, width: 8 * scale, height: 8 * scale)
    pen.drawDisc(in: dot.grown(by: edge), with: .black, onto: &canvas)
    pen.drawDisc(in: dot, with: .red, onto: &canvas)
    pen.draw(
      time.bytes, x: place.x + OverlayLayout.takeIndent * scale, y: place.y - UnifontGlyph.rowsAboveDigit * scale,
      scale: scale, with: .white, edge: edge, onto: &canvas)
  }

  /// A line for each fault; when they do not all fit, the last one counts the others.
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
      y += layout.lineHeight + layout.gap
      leftCount -= 1
      unshownCount -= 1
    }
  }

  /// A line in the middle of the display's width.
  private func drawLine(_ words: FixedText<48>, y: Int, ground: Ink, onto canvas: inout Canvas) {
    let text = Messages.displayed(words, in: status.language)
    let middle = layout.middle.x + layout.middle.width / 2
    let width = layout.width(columns: columnCount(of: text.bytes))
    let box = PixelRectangle(
      x: middle - width / 2 - layout.gap, y: y, width: width + 2 * layout.gap, height: layout.lineHeight)
    pen.fill(box, with: ground, onto: &canvas)
    pen.draw(text.bytes, x: middle - width / 2, y: y, scale: layout.scale, with: .white, onto: &canvas)
  }

  private func draw(_ player: ShownPlayer, onto canvas: inout Canvas) {
    let title = player.title.fitted(columns: layout.title.width / layout.width(columns: 1))
    draw(title, in: layout.title, onto: &canvas)
    draw(player.times, in: layout.times, onto: &canvas)
    let bar = PixelRectangle(
      x: layout.title.x, y: layout.title.bottom - layout.gap - layout.scale / 2, width: layout.title.width,
      height: 2 * layout.scale)
    drawProgress(player.permille, in: bar, onto: &canvas)
  }

  private func drawProgress(_ permille: Int, in bar: PixelRectangle, onto canvas: inout Canvas) {
    pen.fill(bar.grown(by: edge), with: .black, onto: &canvas)
    pen.fill(bar, with: .grey, onto: &canvas)
    var heard = bar
    heard.width = bar.width * permille / 1000
    pen.fill(heard, with: .white, onto: &canvas)
  }

  private func draw<let capacity: Int>(
    _ text: FixedText<capacity>, in place: PixelRectangle, onto canvas: inout Canvas
  ) {
    pen.draw(text.bytes, x: place.x, y: place.y, scale: layout.scale, with: .white, edge: edge, onto: &canvas)
  }
}

/// Where everything stands on the display, upright for the user. The same rules hold for any size, however it is held:
///
/// - All sizes follow from the shorter side. A digit of the take's time is at least a tenth of it, which can be read
///   at 2 m on a display 10 cm high, as long as the time is not wider than the display.
/// - From the top: the take's time, beside it the zoom where both fit, below it the faults.
/// - From the bottom: the level meters, the room on the card, what is played.
/// - What is between them belongs to the picture or to an application.
struct OverlayLayout {
  /// Canvas pixels per pixel of ordinary text.
  let scale: Int
  /// Canvas pixels per pixel of the take's time.
  private(set) var takeScale: Int
  /// The dot and the time; empty while nothing is recorded.
  private(set) var take = PixelRectangle.empty
  private(set) var zoom = PixelRectangle.empty
  /// One line for each fault, as many as fit.
  private(set) var faults = PixelRectangle.empty
  /// Of ``faults``.
  private(set) var faultLineCount = 0
  /// Two bars with their scale, as wide as the display and down to its lower edge.
  private(set) var meters = PixelRectangle.empty
  private(set) var room = PixelRectangle.empty
  /// The title, and a bar for the position below it.
  private(set) var title = PixelRectangle.empty
  /// The player's times.
  private(set) var times = PixelRectangle.empty
  /// What is left.
  private(set) var middle: PixelRectangle

  private let inner: PixelRectangle

  init(_ status: ShownStatus, size: PixelSize) {
    let shorterSide = min(size.width, size.height)
    scale = max(1, shorterSide / 240)
    takeScale = max(1, (shorterSide + 99) / 100)
    inner = PixelRectangle(size).grown(by: -4 * scale)
    middle = inner
    placeTop(status)
    if status.showsDeck { placeDeck(status) }
    placeFaults(status)
  }

  /// Canvas pixels per pixel of the numbers at the meters.
  var smallScale: Int { (scale + 1) / 2 }
  var lineHeight: Int { UnifontGlyph.height * scale }
  var gap: Int { 3 * scale }
  func width(columns: Int) -> Int { columns * UnifontGlyph.columnWidth * scale }

  /// From the dot's left edge to the time's, in pixels of the time.
  static var takeIndent: Int { 10 }

  private mutating func placeTop(_ status: ShownStatus) {
    if let time = status.takeTime {
      let units = Self.takeIndent + columnCount(of: time.bytes) * UnifontGlyph.columnWidth
      takeScale = max(1, min(takeScale, inner.width / units))
      take = PixelRectangle(
        x: inner.x, y: inner.y, width: units * takeScale, height: UnifontGlyph.digitHeight * takeScale)
    }
    if let text = status.zoom {
      let width = width(columns: columnCount(of: text.bytes))
      let isBeside = take.width + 2 * gap + width <= inner.width
      zoom = PixelRectangle(
        x: inner.x + inner.width - width, y: isBeside || take.width == 0 ? inner.y : take.bottom + gap, width: width,
        height: lineHeight)
    }
    cutTop(max(take.bottom, zoom.bottom) + gap)
  }

  private mutating func placeDeck(_ status: ShownStatus) {
    meters = cutBottom(height: LevelMeters.height(scale: scale, smallScale: smallScale))
    room = cutBottom(height: lineHeight)
    room.width = width(columns: columnCount(of: status.room.bytes))
    guard let player = status.player, status.application != .player else { return }
    times = room
    times.width = width(columns: columnCount(of: player.times.bytes))
    if room.width + 2 * gap + times.width > inner.width { times.y = cutBottom(height: lineHeight).y }
    times.x = inner.x + inner.width - times.width
    title = cutBottom(height: lineHeight + 2 * gap)
  }

  private mutating func placeFaults(_ status: ShownStatus) {
    let pitch = lineHeight + gap
    faultLineCount = min(status.faults.nonzeroBitCount, max(0, middle.height + gap) / pitch)
    guard faultLineCount > 0 else { return }
    faults = PixelRectangle(x: inner.x, y: middle.y, width: inner.width, height: faultLineCount * pitch - gap)
    cutTop(faults.bottom + gap)
  }

  /// Takes everything above a line off the middle.
  private mutating func cutTop(_ line: Int) {
    let bottom = middle.bottom
    middle.y = max(middle.y, line)
    middle.height = max(0, bottom - middle.y)
  }

  /// Takes a strip off the middle's lower edge, and a gap above it.
  private mutating func cutBottom(height: Int) -> PixelRectangle {
    let strip = PixelRectangle(x: inner.x, y: middle.bottom - height, width: inner.width, height: height)
    middle.height = max(0, middle.height - height - gap)
    return strip
  }
}

extension PixelRectangle {
  static var empty: PixelRectangle { PixelRectangle(x: 0, y: 0, width: 0, height: 0) }
  var bottom: Int { y + height }
}
