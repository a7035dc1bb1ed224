import Base
import Console

/// A plot of `deploy report html`: a bar for each day or each hour, from one column of `summary.csv` to another.
private struct DayPlot {
  let title: StaticString
  /// The columns; the bar of hours begins at 0, with the missed hours on top. A day's hours share one column.
  let low: Int
  let high: Int
  let isStacked: Bool

  static var count: UInt8 { 4 }

  init(_ number: UInt8) {
    switch number {
    case 0: (title, low, high, isStacked) = ("Hours recorded, and missed (red)", 2, 3, true)
    case 1: (title, low, high, isStacked) = ("Temperature, degrees Celsius", 8, 9, false)
    case 2: (title, low, high, isStacked) = ("Battery, volts", 10, 11, false)
    default:
      (title, low, high, isStacked) = ("Level by the hour (UTC), dBFS: quietest to loudest second", 14, 14, false)
    }
  }

  var isByHour: Bool { low == high }

  /// In pixels.
  var dayWidth: Int { isByHour ? 24 : 12 }

  /// The values of a row; nil if its cells are empty.
  func values(_ row: Span<UInt8>) -> (Double, Double)? {
    if isByHour { return DayLevels(row.cell(low)).extremes }
    guard let first = row.cell(low).parseDecimal(), let second = row.cell(high).parseDecimal() else { return nil }
    return (first, isStacked ? first + second : second)
  }
}

/// How a plot is scaled.
private struct PlotScale {
  private(set) var dayCount = 0
  private(set) var low: Double?
  private(set) var high = 0.0
  private(set) var first = FixedText<16>()
  private(set) var last = FixedText<16>()

  mutating func include(_ row: Span<UInt8>, _ plot: DayPlot) {
    dayCount += 1
    last = FixedText(row.cell(0))
    if dayCount == 1 { first = last }
    guard let (from, to) = plot.values(row) else { return }
    high = low == nil ? to : max(high, to)
    low = plot.isStacked ? 0 : min(low ?? from, from)
  }

  /// In pixels from above; a tenth of a volt is the least that is shown.
  func height(_ value: Double) -> Double { 100 - (value - (low ?? 0)) * 100 / max(high - (low ?? 0), 0.1) }
}

extension Services {
  /// Prints a plot of `deploy report html` as far as the console has space; the rest follows at a later tick.
  mutating func reportPlot(_ number: UInt8, day: Int, from offset: Int) {
    guard console.canReply else { return }
    let plot = DayPlot(number)
    var scale = PlotScale()
    var (day, offset, place) = (day, offset, 0)
    while let (row, next) = summary.row(from: place) {
      scale.include(row.bytes, plot)
      place = next
    }
    if offset == 0 {
      if number == 0 { console.beginPage(deployment.name) }
      console.begin(plot, scale)
    }
    while let (row, next) = summary.row(from: offset) {
      // The first row has space: otherwise the plot would begin twice.
      guard day == 0 || console.canReply else {
        return console.pending = .deploy(.plot(number, day: day, from: offset))
      }
      console.draw(row, day: day, plot, scale)
      (day, offset) = (day + 1, next)
    }
    guard number + 1 < DayPlot.count else {
      console.quote("</svg></body></html>" as FixedText<32>)
      return console.complete()
    }
    console.quote("</svg>" as FixedText<32>)
    console.pending = .deploy(.plot(number + 1, day: 0, from: 0))
  }
}

extension ConsoleSession {
  fileprivate mutating func beginPage(_ name: DeploymentName) {
    var title = FixedText<256>()
    title.append(html: name.bytes)
    quote(
      """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>\(title)</title><style>\
      body{font:14px sans-serif}rect{fill:#286}.m{fill:#c33}svg{display:block;\
      border-bottom:1px solid #888}path{stroke:#286}</style></head><body><h1>\(title)</h1>
      """ as FixedText<1024>)
  }

  /// Begins a plot: what its height means, and its first and last day.
  fileprivate mutating func begin(_ plot: DayPlot, _ scale: PlotScale) {
    let low = scale.low ?? 0
    quote(
      """
      <h2>\(plot.title)</h2><p>\(scale.first) to \(scale.last), from \(low, decimals: 2) to \(scale.high, decimals: 2)\
      </p><svg xmlns="http://www.w3.org/2000/svg" width="\(scale.dayCount * plot.dayWidth)" height="104">
      """ as FixedText<512>)
  }

  private mutating func bar(from low: Double, to high: Double, day: Int, _ scale: PlotScale, _ rest: FixedText<96>) {
    let (top, bottom) = (scale.height(high), scale.height(low))
    quote(
      """
      <rect x="\(day * 12 + 1)" y="\(top, decimals: 1)" width="10" height="\(max(bottom - top, 1), decimals: 1)"\(rest)
      """ as FixedText<256>)
  }

  /// A stroke for each hour.
  private mutating func drawHours(_ levels: DayLevels, day: Int, _ scale: PlotScale, _ title: FixedText<96>) {
    var path = FixedText<512>()
    for hour in 0..<24 {
      guard let (quietest, loudest) = levels[hour] else { continue }
      let (top, bottom) = (scale.height(Double(loudest)), scale.height(Double(quietest)))
      path.append("M\(day * 24 + hour).5 \(top, decimals: 0)v\(max(bottom - top, 1), decimals: 0)" as FixedText<32>)
    }
    quote("<path d=\"\(path)\"\(title)</title></path>" as FixedText<640>)
  }

  fileprivate mutating func draw(_ row: FixedText<768>, day: Int, _ plot: DayPlot, _ scale: PlotScale) {
    guard let (first, second) = plot.values(row.bytes) else { return }
    let date = FixedText<16>(row.bytes.cell(0))
    let title: FixedText<96> = "><title>\(date): \(first, decimals: 2)"
    if plot.isByHour {
      drawHours(DayLevels(row.bytes.cell(plot.low)), day: day, scale, "\(title) to \(second, decimals: 2)")
    } else if plot.isStacked {
      if first > 0 { bar(from: 0, to: first, day: day, scale, "\(title)</title></rect>") }
      if second > first {
        bar(
          from: first, to: second, day: day, scale,
          " class=\"m\"><title>\(date): \(second - first, decimals: 2) missed</title></rect>")
      }
    } else {
      bar(from: first, to: second, day: day, scale, "\(title) to \(second, decimals: 2)</title></rect>")
    }
  }
}
