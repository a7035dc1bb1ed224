import Base
import Wire

/// What is played, on the whole display: its artwork or a sign for the sound, the title on up to three lines, the times,
/// and how much has been heard. The artwork is beside the words where the place is wide, and above them where it is not.
struct PlayerScreen {
  private let player: ShownPlayer
  private let layout: OverlayLayout
  /// Of the title, 0…3.
  private let lineCount: Int
  /// The place of the artwork, or of a sign for the sound where there is none; empty where it does not fit.
  private let sign: PixelRectangle
  private let words: PixelRectangle

  init(_ player: ShownPlayer, _ layout: OverlayLayout) {
    self.player = player
    self.layout = layout
    let (place, gap) = (layout.middle, 2 * layout.gap)
    let mostLines = min(3, (place.height - 2 * gap) / layout.lineHeight - 1)
    let isBeside = place.width > place.height
    let column = isBeside ? place.width - min(place.height, place.width * 2 / 5) - 2 * gap : place.width
    lineCount = max(0, min(mostLines, player.title.lineCount(columns: column / layout.width(columns: 1))))
    let wordHeight = (lineCount + 1) * layout.lineHeight + 2 * gap
    if isBeside {
      let side = min(place.height, place.width * 2 / 5)
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

  /// Where the artwork is drawn; nil where there is no place for it.
  var artworkPlace: PixelRectangle? { lineCount > 0 && sign.width > 0 ? sign : nil }

  /// Draws nothing where there is no place for a line and the times.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    guard lineCount > 0 else { return }
    drawSign(pen, &canvas)
    drawWords(pen, &canvas)
  }

  private func drawSign(_ pen: Pen, _ canvas: inout Canvas) {
    pen.fill(sign, with: .shadow, onto: &canvas)
    let note = UnifontGlyph("♫")
    let scale = sign.width / 32
    guard scale > 0 else { return }
    pen.draw(
      note, x: sign.x + (sign.width - note.width * scale) / 2, y: sign.y + (sign.height - 16 * scale) / 2, scale: scale,
      with: .grey, grownBy: 0, onto: &canvas)
  }

  private func drawWords(_ pen: Pen, _ canvas: inout Canvas) {
    let limit = words.width / layout.width(columns: 1)
    var y = words.y
    var rest = player.title
    for line in 1...lineCount where !rest.isEmpty {
      let text = line < lineCount ? rest.takeLine(columns: limit) : rest.fitted(columns: limit)
      pen.draw(text.bytes, x: words.x, y: y, scale: layout.scale, with: .white, onto: &canvas)
      y += layout.lineHeight
    }
    y += layout.gap
    let bar = PixelRectangle(x: words.x, y: y, width: words.width, height: 2 * layout.scale)
    pen.fill(bar, with: .grey, onto: &canvas)
    var heard = bar
    heard.width = bar.width * player.permille / 1000
    pen.fill(heard, with: .white, onto: &canvas)
    let times = player.times.fitted(columns: limit)
    pen.draw(times.bytes, x: words.x, y: bar.bottom + layout.gap, scale: layout.scale, with: .pale, onto: &canvas)
  }
}

extension FixedText {
  /// How many lines ``takeLine(columns:)`` makes of it.
  func lineCount(columns limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    var rest = self
    var count = 0
    while !rest.isEmpty {
      _ = rest.takeLine(columns: limit)
      count += 1
    }
    return count
  }

  /// Cuts off the characters that fit into a line: whole words, as long as the first of them is not too long.
  mutating func takeLine(columns limit: Int) -> FixedText {
    var line = FixedText()
    var rest = FixedText()
    // How much of the line is whole words.
    var wordsEnd = 0
    var count = 0
    var characters = DrawnCharacters(bytes)
    while let character = characters.next() {
      count += UnifontGlyph(character).columnCount
      if character == " ", rest.isEmpty { wordsEnd = line.byteCount }
      if count <= limit { line.append(scalar: character) } else { rest.append(scalar: character) }
    }
    guard !rest.isEmpty else {
      removeAll()
      return line
    }
    if wordsEnd > 0 {
      let words = line
      line.truncate(to: wordsEnd)
      self = FixedText(words.bytes.extracting(droppingFirst: wordsEnd))
      append(rest)
    } else {
      self = rest
    }
    let left = self
    if let next = left.bytes.removingPrefix(" ") { self = FixedText(next) }
    return line
  }
}
