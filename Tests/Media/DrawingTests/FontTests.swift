import Base
import CTrueType
import TestSupport
import Testing

@testable import Drawing

/// The letters that FreeType draws, and its failures.
@Suite("The fonts of the live view")
struct FontTests {
  private static let sizes = [13, 20, 24, 32, 40, 64, 69, 90, 144, 154]
  private static let syllables = (0xAC00...0xD7A3 as ClosedRange<UInt32>).map { Unicode.Scalar($0)! }

  private static let someSyllables = stride(from: 0, to: syllables.count, by: 50).map { syllables[$0] }

  /// A letter's ink and coverage.
  private struct Picture: Equatable {
    var ink: LetterInk
    var coverage: [UInt8]
  }

  /// A store that can be captured by the tests' macros.
  private final class Letters {
    private var store: LetterStore

    init(
      _ fonts: [[UInt8]], fontByteCount: Int = LetterStore.fontByteCount,
      coverageByteCount: Int = LetterStore.coverageByteCount
    ) throws {
      var memory = leakedBootMemory()
      store = try unwrapped(
        LetterStore(fontByteCount: fontByteCount, coverageByteCount: coverageByteCount, in: &memory))
      for font in fonts {
        if let problem = add(font) { throw problem }
      }
    }

    func add(_ font: [UInt8]) -> FontProblem? { unsafe store.add(Fonts.kept(font)) }

    var peakFontByteCount: Int { store.peakFontByteCount }

    func advance(_ character: Unicode.Scalar, _ em: Int) -> Int { store.advance(of: character, LetterSize(em: em)) }

    func draws(_ character: Unicode.Scalar, _ em: Int, edge: Int = 0) -> Bool {
      store.letter(character, LetterSize(em: em), edge: edge) != nil
    }

    /// The difference from the same letter as drawn by another program.
    func difference(_ character: Unicode.Scalar, _ em: Int, from font: [UInt8]) -> truetype_difference? {
      guard let letter = store.letter(character, LetterSize(em: em), edge: 0) else { return nil }
      return store.difference(letter, character, em, from: font)
    }

    func picture(_ character: Unicode.Scalar, _ em: Int, edge: Int = 0) -> Picture? {
      guard let letter = store.letter(character, LetterSize(em: em), edge: edge) else { return nil }
      return Picture(ink: letter.ink, coverage: store.bytes(of: letter))
    }
  }

  @Test("Every letter covers its pixels as another program's does, the better the larger it is", arguments: sizes)
  func coverage(em: Int) throws {
    let store = try Letters([Fonts.latin, Fonts.hangul])
    let latin = (0x21...0x17F as ClosedRange<UInt32>).filter { !(0x7F...0xA0).contains($0) && $0 != 0xAD }
      .compactMap { Unicode.Scalar($0) }
    // Each syllable is drawn at one of the sizes.
    let first = try #require(Self.sizes.firstIndex(of: em))
    let syllables = stride(from: first, to: Self.syllables.count, by: Self.sizes.count).map { Self.syllables[$0] }
    let letters =
      Cases.some(60, of: latin).map { ($0, Fonts.latin) }
      + Cases.some(60, of: syllables).map { ($0, Fonts.hangul) }
    for (character, font) in letters {
      let found = try #require(store.difference(character, em, from: font))
      // If contours of a syllable overlap within a pixel, FreeType counts it twice.
      #expect(
        found.sum >= 0 && 2 * Int64(em) * found.sum <= 3 * found.covered && found.most < 128, "\(character): \(found)")
      let advance = unsafe truetype_advance(font, character.value, Int32(em))
      #expect(abs(Double(store.advance(character, em)) - advance) <= 1)
    }
  }

  @Test(
    "All syllables at all sizes, plain and outlined, need a fraction of the fonts' memory",
    arguments: Cases.some(2, of: sizes))
  func memory(em: Int) throws {
    let store = try Letters([Fonts.latin, Fonts.hangul])
    let before = store.peakFontByteCount
    for syllable in Cases.some(1_000, of: Self.syllables) {
      for edge in [0, LetterSize(em: em).edge] { #expect(store.draws(syllable, em, edge: edge)) }
    }
    #expect(before < LetterStore.fontByteCount / 2)
    #expect(store.peakFontByteCount < LetterStore.fontByteCount / 2, "\(store.peakFontByteCount)")
  }

  @Test("When the memory for letters is full they are drawn anew, and look the same")
  func forgotten() throws {
    let small = try Letters([Fonts.hangul], coverageByteCount: 20_000)
    let large = try Letters([Fonts.hangul])
    for _ in 0..<3 {
      for syllable in Self.syllables.prefix(900) {
        #expect(small.picture(syllable, 32) == large.picture(syllable, 32))
      }
    }
    // A letter that needs all of it is drawn, and one that needs more is left out.
    #expect(small.picture("한", 130) != nil)
    #expect(small.picture("한", 400) == nil)
    #expect(small.picture("한", 32) != nil)
  }

  @Test("With too little memory for a font or for one of its letters, the bitmap's are drawn", arguments: 0..<60)
  func exhausted(step: Int) throws {
    let store = try Letters([], fontByteCount: step * 4_096)
    let problem = store.add(Fonts.hangul)
    #expect(problem == nil || problem == .memoryFull)
    let bitmaps = try Letters([])
    for syllable in Self.someSyllables {
      let drawn = try #require(store.picture(syllable, 24))
      if problem != nil { #expect(drawn == bitmaps.picture(syllable, 24)) }
      #expect(drawn.coverage.contains { $0 > 127 })
    }
    #expect(store.peakFontByteCount <= max(0, step * 4_096))
  }

  @Test(
    "What is no font, or is packed, cut or changed, is refused or drawn, and nothing else happens", arguments: 0..<40)
  func broken(seed: UInt64) throws {
    for bytes in [[], [0], Array("wOF2".utf8) + [UInt8](repeating: 0, count: 400), [0, 1, 0, 0]] as [[UInt8]] {
      #expect(throws: FontProblem.damaged) { _ = try Letters([bytes + [UInt8(seed)]]) }
    }
    var generator = SeededGenerator(seed: seed)
    var font = seed % 2 == 0 ? Fonts.latin : Fonts.hangul
    if seed % 3 == 0 { font.removeLast(.random(in: 0..<font.count, using: &generator)) }
    // The table offsets and headers, where a change matters most, and anywhere else.
    for end in [300, 30_000, font.count] where !font.isEmpty {
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        font[.random(in: 4..<max(5, min(end, font.count)), using: &generator) % font.count] = .random(
          in: 0...255, using: &generator)
      }
    }
    guard let store = try? Letters([font]) else { return }
    for syllable in Self.someSyllables + (0x20...0x17F).map({ Unicode.Scalar($0)! }) {
      _ = store.draws(syllable, 40, edge: 2)
      _ = store.advance(syllable, 40)
    }
    #expect(store.peakFontByteCount <= LetterStore.fontByteCount)
  }

  @Test("A letter comes from the first font that has it, and from the bitmap where none has it")
  func order() throws {
    let both = try Letters([Fonts.latin, Fonts.hangul])
    let latin = try Letters([Fonts.latin])
    let hangul = try Letters([Fonts.hangul])
    let none = try Letters([])
    #expect(both.picture("A", 40) == latin.picture("A", 40))
    #expect(both.picture("A", 40) != hangul.picture("A", 40))
    #expect(both.picture("한", 40) == hangul.picture("한", 40))
    #expect(both.picture("☆", 40) != none.picture("☆", 40))
    #expect(both.picture("♫", 40) == none.picture("♫", 40))
  }
}

extension LetterStore {
  fileprivate borrowing func difference(
    _ letter: KeptLetter, _ character: Unicode.Scalar, _ em: Int, from font: [UInt8]
  ) -> truetype_difference {
    let ink = truetype_ink(
      left: Int32(letter.ink.left), top: Int32(letter.ink.top), width: Int32(letter.ink.width),
      height: Int32(letter.ink.height))
    return unsafe coverage(of: letter).withUnsafeBufferPointer { coverage in
      unsafe truetype_compare(font, character.value, Int32(em), ink, coverage.baseAddress)
    }
  }

  fileprivate borrowing func bytes(of letter: KeptLetter) -> [UInt8] {
    let coverage = coverage(of: letter)
    return coverage.indices.map { coverage[$0] }
  }
}
