import Base
import CFont

/// The fonts, and the recently drawn letters. If there is no room for another letter, all are dropped.
@safe struct LetterStore: ~Copyable {
  /// The memory of FreeType, including its largest letter while being drawn; `LetteringTests` measures the need.
  static var fontByteCount: Int { 1 << 20 }
  /// The memory of coverage: what a frame of 1920 x 1080 pixels needs. The Hangul clock, 36 letters of 170 x 170, needs
  /// 1 MiB; a take with a title and two faults needs 2 MiB.
  static var coverageByteCount: Int { 3 << 20 }
  /// Hash table entries for letters, a power of two; a frame has fewer than 100 letters.
  static var placeCount: Int { 1024 }

  // Safe: parts of boot memory with no other user, which live as long as the process.
  private let fonts: OpaquePointer?
  private let places: UnsafeMutableBufferPointer<KeptLetter>
  private let coverage: UnsafeMutableBufferPointer<UInt8>
  private var letterCount = 0
  private var usedByteCount = 0

  /// - Parameters:
  ///   - fontByteCount, coverageByteCount: smaller only in tests.
  /// - Returns: nil if `memory` is used up.
  init?(
    fontByteCount: Int = Self.fontByteCount, coverageByteCount: Int = Self.coverageByteCount,
    in memory: inout BootMemory
  ) {
    guard let fonts = unsafe memory.cut(byteCount: fontByteCount),
      let places = unsafe memory.cut(byteCount: Self.placeCount * MemoryLayout<KeptLetter>.stride),
      let coverage = unsafe memory.cut(byteCount: coverageByteCount)
    else { return nil }
    unsafe self.fonts = unsafe font_set_make(fonts.baseAddress, fonts.count)
    unsafe self.places = places.bindMemory(to: KeptLetter.self)
    unsafe self.coverage = coverage.bindMemory(to: UInt8.self)
    forgetLetters()
  }

  /// Adds a font, whose bytes must stay in place for the life of the process.
  @unsafe mutating func add(_ font: UnsafeRawBufferPointer) -> FontProblem? {
    guard let fonts = unsafe fonts else { return .memoryFull }
    forgetLetters()
    switch unsafe font_set_add(fonts, font.baseAddress, font.count) {
    case FONT_DONE: return nil
    case FONT_MEMORY_FULL: return .memoryFull
    default: return .damaged
    }
  }

  /// The high-water mark of the fonts' memory, of ``fontByteCount``.
  var peakFontByteCount: Int {
    guard let fonts = unsafe fonts else { return 0 }
    return unsafe font_set_peak_byte_count(fonts)
  }

  /// The advance to the next letter, in 64ths of a pixel.
  func advance(of character: Unicode.Scalar, _ size: LetterSize) -> Int {
    if let fonts = unsafe fonts {
      let found = unsafe font_set_find(fonts, character.value)
      if found.face >= 0 { return unsafe Int(font_set_advance(fonts, found, UInt32(size.em))) }
    }
    return UnifontGlyph(character).width * size.em * 64 / UnifontGlyph.height
  }

  /// - Parameter edge: the pixels by which the strokes are wider on each side.
  /// - Returns: nil if there is too little memory for it.
  mutating func letter(_ character: Unicode.Scalar, _ size: LetterSize, edge: Int) -> KeptLetter? {
    let key = UInt64(character.value) | UInt64(size.em) << 21 | UInt64(edge) << 33
    let found = unsafe places[place(of: key)]
    if found.key == key { return found }
    if letterCount >= Self.placeCount * 3 / 4 { forgetLetters() }
    if let ink = draw(character, size, edge) { return keep(key, ink) }
    forgetLetters()
    return draw(character, size, edge).map { keep(key, $0) }
  }

  /// The coverage of a letter's pixels, rows from the top.
  @_lifetime(borrow self)
  func coverage(of letter: KeptLetter) -> Span<UInt8> {
    let end = letter.start + letter.ink.width * letter.ink.height
    // Safe: only a caller that borrows this value exclusively draws into it.
    let all = unsafe Span(_unsafeElements: UnsafeBufferPointer(coverage))
    return unsafe _overrideLifetime(all.extracting(letter.start..<end), borrowing: self)
  }

  private mutating func forgetLetters() {
    unsafe places.initialize(repeating: KeptLetter())
    letterCount = 0
    usedByteCount = 0
  }

  /// The place of a letter in the table: from its hash on, the first that holds it or is empty.
  private func place(of key: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 40) & (Self.placeCount - 1)
    while unsafe places[place].key != 0 && places[place].key != key { place = (place + 1) & (Self.placeCount - 1) }
    return place
  }

  private mutating func keep(_ key: UInt64, _ ink: LetterInk) -> KeptLetter {
    let letter = KeptLetter(key: key, start: usedByteCount, ink: ink)
    unsafe places[place(of: key)] = letter
    letterCount += 1
    usedByteCount += ink.width * ink.height
    return letter
  }

  /// Draws after the letters that are kept.
  /// - Returns: nil if the rest of the memory is too small.
  private func draw(_ character: Unicode.Scalar, _ size: LetterSize, _ edge: Int) -> LetterInk? {
    let rest = unsafe UnsafeMutableBufferPointer(rebasing: coverage[usedByteCount...])
    if let fonts = unsafe fonts {
      let found = unsafe font_set_find(fonts, character.value)
      if found.face >= 0 {
        var ink = font_ink()
        switch unsafe font_set_draw(fonts, found, UInt32(size.em), UInt32(edge), rest.baseAddress, rest.count, &ink)
        {
        case FONT_DONE:
          return LetterInk(left: Int(ink.left), top: Int(ink.top), width: Int(ink.width), height: Int(ink.height))
        case FONT_TOO_LARGE: return nil
        // Damaged, or too large for the fonts' memory.
        default: break
        }
      }
    }
    // The bitmap's strokes are thin, as its characters are small.
    let edge = edge + size.em / 48
    let glyph = UnifontGlyph(character)
    let ink = glyph.ink(size: size.em, edge: edge)
    guard ink.width * ink.height <= rest.count else { return nil }
    var span = unsafe MutableSpan(_unsafeElements: rest)
    glyph.draw(size: size.em, edge: edge, into: &span)
    return ink
  }
}

/// A letter that has been drawn.
struct KeptLetter: BitwiseCopyable {
  /// The character, its size and its edge; 0 for an empty place.
  var key: UInt64 = 0
  /// The offset of its coverage.
  var start = 0
  var ink = LetterInk(left: 0, top: 0, width: 0, height: 0)
}
