import Base
import Wire

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
