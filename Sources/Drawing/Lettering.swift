import Base

/// A size of letters, in pixels of the canvas.
struct LetterSize: BitwiseCopyable, Equatable {
  /// The side of the em square, 1…4095.
  let em: Int

  init(em: Int) { self.em = min(4095, max(1, em)) }

  /// From one line to the next: an accent on a capital and the tail of a g have place in it.
  var lineHeight: Int { (em * 6 + 4) / 5 }
  /// From a line's upper edge to its baseline.
  var baseline: Int { em * 19 / 20 }
  /// Of a digit or a capital: 0.711 em in Roboto.
  var digitHeight: Int { (em * 5 + 6) / 7 }
  /// The width of the black outline that keeps letters readable on any picture.
  var edge: Int { 1 + em / 32 }
}

/// Where the ink of a letter is: pixels to the right of where the letter begins, and from the baseline up.
struct LetterInk: BitwiseCopyable, Equatable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int
}

/// The letters of a display: those of the fonts that were added, in their order, and ``UnifontGlyph``'s for what they
/// lack. The letters that were drawn last are kept, so that an ordinary frame draws none anew.
///
/// All copies share one memory; only one thread may use them.
@safe package struct Lettering: BitwiseCopyable {
  // Sound: in boot memory for the life of the process, and no access to it lasts longer than a call here.
  private let store: UnsafeMutablePointer<LetterStore>

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let letters = LetterStore(in: &memory), let store = unsafe memory.place(letters) else { return nil }
    unsafe self.store = unsafe store
  }

  /// Adds a font, whose bytes stay where they are for the life of the process.
  @unsafe package func add(_ font: UnsafeRawBufferPointer) -> FontProblem? { unsafe store.pointee.add(font) }

  /// The most memory that the fonts ever used, of ``LetterStore/fontByteCount``.
  var peakFontByteCount: Int { unsafe store.pointee.peakFontByteCount }

  /// By how much the next letter is farther right, in 64ths of a pixel.
  func advance(of character: Unicode.Scalar, _ size: LetterSize) -> Int {
    unsafe store.pointee.advance(of: character, size)
  }

  /// Where a letter's ink is; nil when there is too little memory for it.
  func ink(of character: Unicode.Scalar, _ size: LetterSize) -> LetterInk? {
    unsafe store.pointee.letter(character, size, edge: 0)?.ink
  }

  /// Draws a letter.
  /// - Parameters:
  ///   - x: where it begins, or, if it is a mark over what stands before it, the middle of that.
  ///   - baseline: the row on which it stands.
  ///   - edge: by how many pixels its strokes are wider on each side.
  func draw(
    _ character: Unicode.Scalar, x: Int, baseline: Int, _ size: LetterSize, edge: Int, with ink: Ink,
    rotated rotation: QuarterTurn, onto canvas: inout Canvas
  ) {
    guard let letter = unsafe store.pointee.letter(character, size, edge: edge) else { return }
    let left = character.isCombining ? -letter.ink.width / 2 : letter.ink.left
    let place = PixelRectangle(
      x: x + left, y: baseline - letter.ink.top, width: letter.ink.width, height: letter.ink.height)
    // Sound: nothing is drawn into the store while this is read.
    unsafe canvas.blend(store.pointee.coverage(of: letter), at: place, rotated: rotation, with: ink)
  }

  /// The width of a text in whole pixels.
  func width(of text: Span<UInt8>, _ size: LetterSize) -> Int {
    var line = LetterLine(text, self, size)
    while line.next() != nil {}
    return line.width
  }
}

/// The letters of a text with their places.
struct LetterLine: ~Escapable {
  private var characters: DrawnCharacters
  private let lettering: Lettering
  private let size: LetterSize
  /// Where the next letter begins, in 64ths of a pixel.
  private(set) var end = 0
  /// Where the last one began.
  private var last = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, _ lettering: Lettering, _ size: LetterSize) {
    characters = DrawnCharacters(text)
    self.lettering = lettering
    self.size = size
  }

  /// Of the letters so far, in whole pixels.
  var width: Int { (end + 63) >> 6 }

  /// - Returns: where the letter begins, to the nearest pixel; for a mark the middle of what it marks.
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
