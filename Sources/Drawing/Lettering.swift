import Base

/// A size of letters, in pixels of the canvas.
struct LetterSize: BitwiseCopyable, Equatable {
  /// The side of the em square, 1…4095.
  let em: Int

  init(em: Int) { self.em = min(4095, max(1, em)) }

  /// The line spacing: it has room for an accent on a capital and a descender.
  var lineHeight: Int { (em * 6 + 4) / 5 }
  /// The distance from a line's upper edge to its baseline.
  var baseline: Int { em * 19 / 20 }
  /// The height of a digit or a capital: 0.711 em in Roboto.
  var digitHeight: Int { (em * 5 + 6) / 7 }
  /// The width of the black outline that keeps letters readable on any picture.
  var edge: Int { 1 + em / 32 }
}

/// The extent of a letter's ink: pixels to the right of its origin, and up from the baseline.
struct LetterInk: BitwiseCopyable, Equatable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int
}

/// The letters of a display: from the added fonts, in their order, and from ``UnifontGlyph`` for what they lack.
/// Recently drawn letters are cached, so that an ordinary frame draws none anew.
///
/// All copies share one memory; only one thread may use them.
@safe package struct Lettering: BitwiseCopyable {
  // Safe: in boot memory for the life of the process, and no access to it lasts longer than a call here.
  private let store: UnsafeMutablePointer<LetterStore>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let letters = LetterStore(in: &memory), let store = unsafe memory.place(letters) else { return nil }
    unsafe self.store = unsafe store
  }

  /// Adds a font, whose bytes must stay in place for the life of the process.
  @unsafe package func add(_ font: UnsafeRawBufferPointer) -> FontProblem? { unsafe store.pointee.add(font) }

  /// The high-water mark of the fonts' memory, of ``LetterStore/fontByteCount``.
  var peakFontByteCount: Int { unsafe store.pointee.peakFontByteCount }

  /// The advance to the next letter, in 64ths of a pixel.
  func advance(of character: Unicode.Scalar, _ size: LetterSize) -> Int {
    unsafe store.pointee.advance(of: character, size)
  }

  /// The extent of a letter's ink; nil if there is too little memory for it.
  func ink(of character: Unicode.Scalar, _ size: LetterSize) -> LetterInk? {
    unsafe store.pointee.letter(character, size, edge: 0)?.ink
  }

  /// Draws a letter.
  /// - Parameters:
  ///   - x: its origin, or, for a mark over the preceding letter, the middle of that letter.
  ///   - baseline: the row of the baseline.
  ///   - edge: the pixels by which its strokes are wider on each side.
  func draw(
    _ character: Unicode.Scalar, x: Int, baseline: Int, _ size: LetterSize, edge: Int, with ink: Ink,
    rotated rotation: QuarterTurn, onto canvas: inout Canvas
  ) {
    guard let letter = unsafe store.pointee.letter(character, size, edge: edge) else { return }
    let left = character.isCombining ? -letter.ink.width / 2 : letter.ink.left
    let place = PixelRectangle(
      x: x + left, y: baseline - letter.ink.top, width: letter.ink.width, height: letter.ink.height)
    // Safe: nothing is drawn into the store while this is read.
    unsafe canvas.blend(store.pointee.coverage(of: letter), at: place, rotated: rotation, with: ink)
  }

  /// The width of a text in whole pixels.
  func width(of text: Span<UInt8>, _ size: LetterSize) -> Int {
    var line = LetterLine(text, self, size)
    while line.next() != nil {}
    return line.width
  }
}

/// The letters of a text with their positions.
struct LetterLine: ~Escapable {
  private var characters: DrawnCharacters
  private let lettering: Lettering
  private let size: LetterSize
  /// The origin of the next letter, in 64ths of a pixel.
  private(set) var end = 0
  /// The origin of the last letter.
  private var last = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, _ lettering: Lettering, _ size: LetterSize) {
    characters = DrawnCharacters(text)
    self.lettering = lettering
    self.size = size
  }

  /// The width of the letters so far, in whole pixels.
  var width: Int { (end + 63) >> 6 }

  /// - Returns: the letter's origin, to the nearest pixel; for a mark the middle of the letter that it marks.
  mutating func next() -> (character: Unicode.Scalar, x: Int)? {
    guard let character = characters.next() else { return nil }
    guard !character.isCombining else { return (character, (last + end) >> 7) }
    last = end
    end += lettering.advance(of: character, size)
    return (character, (last + 32) >> 6)
  }
}

/// Why a font cannot be used.
package enum FontProblem: Equatable, Sendable {
  case damaged
  case memoryFull
}

/// The lettering, its size, and the width available for a line.
struct LineWidth {
  let pixels: Int
  let size: LetterSize
  let lettering: Lettering

  /// The width of a text in pixels.
  func width(of text: Span<UInt8>) -> Int { lettering.width(of: text, size) }

  /// Whether a text fits.
  func holds(_ text: Span<UInt8>) -> Bool { width(of: text) <= pixels }
}

extension FixedText {
  /// The text cut to one line, with an ellipsis in place of what does not fit.
  func fitted(_ limit: LineWidth) -> FixedText {
    guard !limit.holds(bytes) else { return self }
    let ellipsis: Unicode.Scalar = "…"
    let room = limit.pixels * 64 - limit.lettering.advance(of: ellipsis, limit.size)
    guard room >= 0 else { return FixedText() }
    var fitted = FixedText()
    var whole = LetterLine(bytes, limit.lettering, limit.size)
    while let letter = whole.next(), whole.end <= room { fitted.append(scalar: letter.character) }
    // An ellipsis has three bytes.
    fitted.truncate(to: capacity - 3)
    fitted.append(scalar: ellipsis)
    return fitted
  }

  /// The number of lines that ``takeLine(_:)`` makes of the text; 0 if not even a letter fits.
  func lineCount(_ limit: LineWidth) -> Int {
    var rest = self
    var count = 0
    while !rest.isEmpty {
      guard !rest.takeLine(limit).isEmpty else { return 0 }
      count += 1
    }
    return count
  }

  /// Removes and returns the characters that fit into a line: whole words, unless the first of them is too long.
  mutating func takeLine(_ limit: LineWidth) -> FixedText {
    var line = FixedText()
    var rest = FixedText()
    // The length of the whole words in the line.
    var wordsEnd = 0
    var letters = LetterLine(bytes, limit.lettering, limit.size)
    while let letter = letters.next() {
      if letter.character == " ", rest.isEmpty { wordsEnd = line.byteCount }
      if letters.width <= limit.pixels, rest.isEmpty {
        line.append(scalar: letter.character)
      } else {
        rest.append(scalar: letter.character)
      }
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
