import Base

/// The level meters: two bars with peak hold and a clip light each, and a scale in dBFS.
struct LevelMeters {
  private let status: ShownStatus
  private let layout: OverlayLayout
  private let place: PixelRectangle

  init(_ status: ShownStatus, _ layout: OverlayLayout) {
    self.status = status
    self.layout = layout
    place = layout.meters
  }

  /// Two bars, the ticks and the numbers, with a small gap above and below the numbers.
  static func height(_ layout: OverlayLayout) -> Int {
    2 * layout.barHeight + layout.unit + tickHeight(layout) + layout.meterSize.digitHeight + 2 * layout.unit
  }

  private static func tickHeight(_ layout: OverlayLayout) -> Int { 2 * layout.unit }
  private static var decibels: Int { Int(-ShownStatus.quietestDecibels) }
  /// Where the bars turn yellow, and red.
  private static var yellowStart: Int { decibels - 12 }
  private static var redStart: Int { decibels - 3 }
  private var unit: Int { layout.unit }
  private var lightWidth: Int { 2 * layout.barHeight }
  /// The clip light and a gap come after the bar.
  private var barWidth: Int { place.width - lightWidth - unit }

  /// - Parameter level: decibels above the lowest level, 0…60.
  private func x(_ level: Int) -> Int { place.x + level * barWidth / Self.decibels }

  private func bar(_ channel: Int, from first: Int, to last: Int) -> PixelRectangle {
    PixelRectangle(
      x: x(first), y: place.y + channel * (layout.barHeight + unit), width: x(last) - x(first),
      height: layout.barHeight)
  }

  func draw(with pen: Pen, onto canvas: inout Canvas) {
    var ground = place.grown(by: 4 * unit)
    ground.y += 2 * unit
    pen.fill(ground, with: .black, onto: &canvas)
    for channel in 0..<2 { drawBar(channel, with: pen, onto: &canvas) }
    drawScale(below: bar(1, from: 0, to: 0).bottom, with: pen, onto: &canvas)
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
      var mark = bar(channel, from: held, to: held).grown(right: 2 * unit)
      mark.x -= 2 * unit
      pen.fill(mark, with: .white, onto: &canvas)
    }
    var light = bar(channel, from: Self.decibels, to: Self.decibels).grown(right: lightWidth)
    light.x += unit
    pen.fill(light, with: status.hasClipped[channel] ? .red : .darkRed, onto: &canvas)
  }

  /// Draws the marks that fit, the more important ones first.
  private func drawScale(below top: Int, with pen: Pen, onto canvas: inout Canvas) {
    let size = layout.meterSize
    let marks: InlineArray<8, Int> = [0, -60, -20, -40, -10, -30, -50, -5]
    var used = PixelRanges()
    for index in marks.indices {
      var text = FixedText<8>()
      text.append(integer: marks[index])
      let width = pen.lettering.width(of: text.bytes, size)
      let middle = x(Self.decibels + marks[index])
      let left = min(place.x + place.width - width, max(place.x, middle - width / 2))
      guard used.insert(left - size.em / 8, left + width + size.em / 8) else { continue }
      let tick = PixelRectangle(
        x: min(middle, x(Self.decibels) - unit), y: top, width: unit, height: Self.tickHeight(layout))
      pen.fill(tick, with: .pale, onto: &canvas)
      let y = top + Self.tickHeight(layout) + unit + size.digitHeight - size.baseline
      pen.draw(text.bytes, x: left, y: y, size, with: .white, onto: &canvas)
    }
  }
}

/// Up to eight ranges of pixels that do not overlap.
private struct PixelRanges {
  private var ranges = InlineArray<8, (Int, Int)>(repeating: (0, 0))
  private var count = 0

  /// - Returns: false if it overlaps one of the others.
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
