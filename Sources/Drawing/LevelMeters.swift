import Base

/// The level meters: two bars with the highest peaks of the last time and a light for clipping, and a scale in dBFS.
struct LevelMeters {
  private let status: ShownStatus
  private let place: PixelRectangle
  private let scale: Int
  private let smallScale: Int

  init(_ status: ShownStatus, in place: PixelRectangle, scale: Int, smallScale: Int) {
    self.status = status
    self.place = place
    self.scale = scale
    self.smallScale = smallScale
  }

  /// Two bars, the ticks, and the numbers, above and below which a row of their pixels stays free.
  static func height(scale: Int, smallScale: Int) -> Int {
    2 * barHeight(scale) + scale + tickHeight(scale) + (UnifontGlyph.digitHeight + 2) * smallScale
  }

  private static func barHeight(_ scale: Int) -> Int { 4 * scale }
  private static func tickHeight(_ scale: Int) -> Int { 2 * scale }
  private static var decibels: Int { Int(-ShownStatus.quietestDecibels) }
  /// Where the bars turn yellow, and red.
  private static var yellowStart: Int { decibels - 12 }
  private static var redStart: Int { decibels - 3 }
  private var lightWidth: Int { 8 * scale }
  /// The clip light and a gap are behind the bar.
  private var barWidth: Int { place.width - lightWidth - scale }

  /// - Parameter level: in decibels above the lowest, 0…60.
  private func x(_ level: Int) -> Int { place.x + level * barWidth / Self.decibels }

  private func bar(_ channel: Int, from first: Int, to last: Int) -> PixelRectangle {
    PixelRectangle(
      x: x(first), y: place.y + channel * (Self.barHeight(scale) + scale), width: x(last) - x(first),
      height: Self.barHeight(scale))
  }

  func draw(with pen: Pen, onto canvas: inout Canvas) {
    var ground = place.grown(by: 4 * scale)
    ground.y += 2 * scale
    pen.fill(ground, with: .black, onto: &canvas)
    let bars = PixelRectangle(
      x: place.x, y: place.y, width: place.width, height: 2 * Self.barHeight(scale) + scale)
    for channel in 0..<2 { drawBar(channel, with: pen, onto: &canvas) }
    drawScale(below: bars.bottom, with: pen, onto: &canvas)
  }

  private func drawBar(_ channel: Int, with pen: Pen, onto canvas: inout Canvas) {
    let lit = Int(status.meterDecibels[channel])
    let zones: InlineArray<3, (end: Int, lit: Ink, unlit: Ink)> = [
      (Self.yellowStart, .green, .darkGreen), (Self.redStart, .yellow, .darkYellow), (Self.decibels, .red, .darkRed),
    ]
    var start = 0
    for index in zones.indices {
      let zone = zones[index]
      let middle = min(zone.end, max(start, lit))
      pen.fill(bar(channel, from: start, to: middle), with: zone.lit, onto: &canvas)
      pen.fill(bar(channel, from: middle, to: zone.end), with: zone.unlit, onto: &canvas)
      start = zone.end
    }
    let held = Int(status.heldDecibels[channel])
    if held > 0 {
      var mark = bar(channel, from: held, to: held).grown(right: scale)
      mark.x -= scale
      pen.fill(mark, with: .white, onto: &canvas)
    }
    var light = bar(channel, from: Self.decibels, to: Self.decibels).grown(right: lightWidth)
    light.x += scale
    pen.fill(light, with: status.hasClipped[channel] ? .red : .darkRed, onto: &canvas)
  }

  /// The marks that fit, the more important ones first.
  private func drawScale(below top: Int, with pen: Pen, onto canvas: inout Canvas) {
    let marks: InlineArray<8, Int> = [0, -60, -20, -40, -10, -30, -50, -5]
    var used = PixelRanges()
    for index in marks.indices {
      var text = FixedText<8>()
      text.append(integer: marks[index])
      let width = text.byteCount * UnifontGlyph.columnWidth * smallScale
      let middle = x(Self.decibels + marks[index])
      let left = min(place.x + place.width - width, max(place.x, middle - width / 2))
      guard used.insert(left - width / 4, left + width + width / 4) else { continue }
      let tick = PixelRectangle(
        x: min(middle, x(Self.decibels) - scale), y: top, width: scale, height: Self.tickHeight(scale))
      pen.fill(tick, with: .pale, onto: &canvas)
      let y = top + Self.tickHeight(scale) + (1 - UnifontGlyph.rowsAboveDigit) * smallScale
      pen.draw(text.bytes, x: left, y: y, scale: smallScale, with: .pale, onto: &canvas)
    }
  }
}

/// Up to eight ranges of pixels that do not overlap.
private struct PixelRanges {
  private var ranges = InlineArray<8, (Int, Int)>(repeating: (0, 0))
  private var count = 0

  /// - Returns: false when it overlaps one of the others.
  mutating func insert(_ start: Int, _ end: Int) -> Bool {
    for index in 0..<count where start < ranges[index].1 && end > ranges[index].0 { return false }
    ranges[count] = (start, end)
    count += 1
    return true
  }
}

extension PixelRectangle {
  func grown(right width: Int) -> PixelRectangle {
    PixelRectangle(x: x, y: y, width: self.width + width, height: height)
  }
}
