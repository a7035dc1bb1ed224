import Base
import Wire

/// The place of everything on the display, upright for the user. The same rules hold for any size, however it is held:
///
/// - All sizes follow from the shorter side, so that what can be read on one display can be read on another as high.
///   The arithmetic is for a display of 7 inches, whose shorter side is 86 mm, at 2 m, where a minute of arc is 0.58
///   mm; somebody with normal sight reads letters of 5 minutes, and somebody with half of it letters of 10.
///   - A digit of the take's time is a tenth of the shorter side, as long as the time is not wider than the display:
///     8.6 mm, 15 minutes.
///   - A small letter of a title is a fifteenth (0.5 em): 5.7 mm, 10 minutes.
///   - A digit at the meters is a fourteenth (0.7 em): 6.1 mm, 10.5 minutes. A bar is a 24th: 3.6 mm, 6 minutes.
///   - A digit or a capital of everything else is a 17th: 5.1 mm, 9 minutes.
/// - From the top: the take's time, the zoom beside it if both fit, and the faults below.
/// - From the bottom: the level meters, the room on the card, the battery beside it if both fit, and the player.
/// - The space in between belongs to the picture or to an application.
struct OverlayLayout {
  /// The width of a thin line, and the unit of all gaps.
  let unit: Int
  let titleSize: LetterSize
  /// The size of the numbers at the meters.
  let meterSize: LetterSize
  /// The size of all other text except the take's time.
  let textSize: LetterSize
  private(set) var takeSize: LetterSize
  /// The height of each of the two level meters.
  let barHeight: Int
  let lettering: Lettering
  /// The dot and the time; empty while nothing is recorded.
  private(set) var take = PixelRectangle.empty
  private(set) var zoom = PixelRectangle.empty
  /// One line for each fault, as many as fit.
  private(set) var faults = PixelRectangle.empty
  private(set) var faultLineCount = 0
  /// Two bars with their scale, as wide as the display, at its lower edge.
  private(set) var meters = PixelRectangle.empty
  private(set) var room = PixelRectangle.empty
  /// The battery's outline, as high as a digit; empty if its charge is not known, or there is no space.
  private(set) var battery = PixelRectangle.empty
  /// The title, with a progress bar below it.
  private(set) var title = PixelRectangle.empty
  /// The player's times.
  private(set) var times = PixelRectangle.empty
  /// The remaining space.
  private(set) var middle: PixelRectangle

  private let inner: PixelRectangle

  init(_ status: ShownStatus, size: PixelSize, _ lettering: Lettering) {
    let shorterSide = min(size.width, size.height)
    unit = max(1, shorterSide / 240)
    titleSize = LetterSize(em: shorterSide * 2 / 15)
    meterSize = LetterSize(em: shorterSide / 10)
    textSize = LetterSize(em: shorterSide / 12)
    takeSize = LetterSize(em: (shorterSide + 6) / 7)
    barHeight = max(1, shorterSide / 24)
    self.lettering = lettering
    inner = PixelRectangle(size).grown(by: -4 * unit)
    middle = inner
    placeTop(status)
    if status.showsDeck { placeDeck(status) }
    placeFaults(status)
  }

  var gap: Int { 3 * unit }
  /// A line of a title, and a line of ordinary text.
  func title(_ pixels: Int) -> LineWidth { LineWidth(pixels: pixels, size: titleSize, lettering: lettering) }
  func text(_ pixels: Int) -> LineWidth { LineWidth(pixels: pixels, size: textSize, lettering: lettering) }
  private func width<let capacity: Int>(_ text: FixedText<capacity>) -> Int {
    lettering.width(of: text.bytes, textSize)
  }

  /// The distance from the dot's left edge to the time's.
  var takeIndent: Int { takeSize.digitHeight }

  private mutating func placeTop(_ status: ShownStatus) {
    if let time = status.takeTime {
      takeSize = takeSize(of: time)
      take = PixelRectangle(
        x: inner.x, y: inner.y, width: takeIndent + lettering.width(of: time.bytes, takeSize),
        height: takeSize.digitHeight)
    }
    if let text = status.zoom {
      let width = width(text)
      let isBeside = take.width + 2 * gap + width <= inner.width
      zoom = PixelRectangle(
        x: inner.x + inner.width - width, y: isBeside || take.width == 0 ? inner.y : take.bottom + gap, width: width,
        height: textSize.lineHeight)
    }
    cutTop(max(take.bottom, zoom.bottom) + gap)
  }

  /// The time's usual size, or the largest at which it fits.
  private func takeSize(of time: FixedText<16>) -> LetterSize {
    var size = takeSize
    while size.em > 1, size.digitHeight + lettering.width(of: time.bytes, size) > inner.width {
      size = LetterSize(em: size.em - 1)
    }
    return size
  }

  private mutating func placeDeck(_ status: ShownStatus) {
    meters = cutBottom(height: LevelMeters.height(self))
    room = cutBottom(height: textSize.lineHeight)
    room.width = width(status.room)
    var end = room.width
    let height = textSize.digitHeight
    if status.batteryPercent != nil, end + 2 * gap + 2 * height <= inner.width {
      battery = PixelRectangle(
        x: room.x + end + 2 * gap, y: room.y + textSize.baseline - height, width: 2 * height, height: height)
      end += 2 * gap + battery.width
    }
    guard let player = status.player, status.application != .player else { return }
    times = room
    times.width = width(player.times)
    if end + 2 * gap + times.width > inner.width { times.y = cutBottom(height: textSize.lineHeight).y }
    times.x = inner.x + inner.width - times.width
    title = cutBottom(height: titleSize.lineHeight + 2 * gap)
  }

  private mutating func placeFaults(_ status: ShownStatus) {
    let pitch = textSize.lineHeight + gap
    faultLineCount = min(status.faults.nonzeroBitCount, max(0, middle.height + gap) / pitch)
    guard faultLineCount > 0 else { return }
    faults = PixelRectangle(x: inner.x, y: middle.y, width: inner.width, height: faultLineCount * pitch - gap)
    cutTop(faults.bottom + gap)
  }

  /// Removes everything above a line from the middle.
  private mutating func cutTop(_ line: Int) {
    let bottom = middle.bottom
    middle.y = max(middle.y, line)
    middle.height = max(0, bottom - middle.y)
  }

  /// Removes a strip, and a gap above it, from the bottom of the middle.
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
