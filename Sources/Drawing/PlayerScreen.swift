import Base
import Wire

/// The player on the whole display: its artwork or a sign for the sound, the title on up to three lines, the times, and
/// the progress. The artwork is beside the words if the place is wide, and above them otherwise.
struct PlayerScreen {
  private let player: ShownPlayer
  private let layout: OverlayLayout
  /// The lines of the title, 0…3.
  private let lineCount: Int
  /// The place of the artwork, or of a sign for the sound if there is none; empty if it does not fit.
  private let sign: PixelRectangle
  private let words: PixelRectangle

  init(_ player: ShownPlayer, _ layout: OverlayLayout) {
    self.player = player
    self.layout = layout
    let (place, gap) = (layout.middle, 2 * layout.gap)
    let titleHeight = layout.titleSize.lineHeight
    let mostLines = min(3, (place.height - 2 * gap - layout.textSize.lineHeight) / titleHeight)
    let isBeside = place.width > place.height
    let side = min(place.height, place.width * 2 / 5)
    let column = isBeside ? place.width - side - 2 * gap : place.width
    lineCount = max(0, min(mostLines, player.title.lineCount(layout.title(column))))
    let wordHeight = lineCount * titleHeight + layout.textSize.lineHeight + 2 * gap
    if isBeside {
      sign = PixelRectangle(x: place.x, y: place.y + (place.height - side) / 2, width: side, height: side)
      words = PixelRectangle(
        x: place.x + side + 2 * gap, y: place.y + (place.height - wordHeight) / 2, width: column, height: wordHeight)
    } else {
      let side = max(0, min(place.width, place.height - wordHeight - 2 * gap))
      let y = place.y + (place.height - side - 2 * gap - wordHeight) / 2
      sign = PixelRectangle(x: place.x + (place.width - side) / 2, y: y, width: side, height: side)
      words = PixelRectangle(x: place.x, y: sign.bottom + 2 * gap, width: place.width, height: wordHeight)
    }
  }

  /// The place of the artwork; nil if there is no room for it.
  var artworkPlace: PixelRectangle? { lineCount > 0 && sign.width > 0 ? sign : nil }

  /// Draws nothing if there is no room for a line and the times.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    guard lineCount > 0 else { return }
    drawSign(pen, &canvas)
    drawWords(pen, &canvas)
  }

  private func drawSign(_ pen: Pen, _ canvas: inout Canvas) {
    pen.fill(sign, with: .shadow, onto: &canvas)
    guard sign.width >= 16 else { return }
    pen.draw(
      "♪", middleX: sign.x + sign.width / 2, middleY: sign.y + sign.height / 2, LetterSize(em: sign.width / 2),
      with: .grey, onto: &canvas)
  }

  private func drawWords(_ pen: Pen, _ canvas: inout Canvas) {
    let limit = layout.title(words.width)
    var y = words.y
    var rest = player.title
    for line in 1...lineCount where !rest.isEmpty {
      let text = line < lineCount ? rest.takeLine(limit) : rest.fitted(limit)
      pen.draw(text.bytes, x: words.x, y: y, layout.titleSize, with: .white, onto: &canvas)
      y += layout.titleSize.lineHeight
    }
    y += layout.gap
    let bar = PixelRectangle(x: words.x, y: y, width: words.width, height: 2 * layout.unit)
    pen.fill(bar, with: .grey, onto: &canvas)
    var heard = bar
    heard.width = bar.width * player.permille / 1000
    pen.fill(heard, with: .white, onto: &canvas)
    let times = player.times.fitted(layout.text(words.width))
    pen.draw(times.bytes, x: words.x, y: bar.bottom + layout.gap, layout.textSize, with: .pale, onto: &canvas)
  }
}
