import Base
import CFFmpeg

/// What a file's tags are written in. ID3v1 and RIFF INFO do not say; most programs write what their system uses.
enum TagCharset {
  case utf8
  case western
  /// EUC-KR with Microsoft's additional syllables.
  case korean
  /// Shift-JIS with Microsoft's additions.
  case japanese
  case japaneseUnix

  /// A few words are too little for statistics of letters, but their bytes tell: an East Asian character is a pair of
  /// bytes, while the accented letters of a Western text stand alone among small letters.
  init(of survey: borrowing TagSurvey) {
    if survey.isUTF8 {
      self = .utf8
    } else if let charset = Self.eastAsian(survey.extendedUnix) {
      self = charset
    } else if survey.shiftJIS.isJapanese {
      self = .japanese
    } else {
      self = .western
    }
  }

  private static func eastAsian(_ pairs: PairCount) -> TagCharset? {
    guard !pairs.isBroken, pairs.count > 0, !pairs.areAttached else { return nil }
    if pairs.kanaCount > 0, 2 * pairs.kanaCount >= pairs.syllableCount { return .japaneseUnix }
    return 2 * pairs.syllableCount >= pairs.count ? .korean : nil
  }

  /// The C library's name for it; nil for UTF-8.
  private var name: StaticString? {
    switch self {
    case .utf8: nil
    case .western: "CP1252"
    case .korean: "CP949"
    case .japanese: "CP932"
    case .japaneseUnix: "EUC-JP"
    }
  }

  /// Loads the C library's tables while it can still open them.
  static func loadTables() {
    Self.western.load()
    Self.korean.load()
    Self.japanese.load()
    Self.japaneseUnix.load()
  }

  private func load() {
    guard let name else { return }
    unsafe ffmpeg_load_charset(name.cString)
  }

  /// The text in UTF-8, as much of it as fits.
  func text(_ found: FoundText) -> FixedText<128> {
    guard !found.isDecoded, let name else { return FixedText(found.bytes.bytes) }
    var source = InlineArray<257, CChar>(repeating: 0)
    for index in found.bytes.bytes.indices { source[index] = CChar(bitPattern: found.bytes.bytes[index]) }
    var bytes = InlineArray<129, CChar>(repeating: 0)
    var span = bytes.mutableSpan
    let isConverted = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe source.span.withUnsafeBufferPointer { source in
        unsafe ffmpeg_convert_text(name.cString, source.baseAddress!, buffer.baseAddress!, buffer.count) == 0
      }
    }
    guard isConverted else { return Self.latin(found.bytes.bytes) }
    return unsafe bytes.span.withUnsafeBufferPointer { unsafe FixedText(cString: $0.baseAddress) }
  }

  /// Writes the text in UTF-8, with a zero at its end.
  /// - Returns: false when the C library lacks its tables.
  func convert(_ text: UnsafePointer<CChar>, into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Bool {
    guard let name else { return false }
    return unsafe ffmpeg_convert_text(name.cString, text, buffer, capacity) == 0
  }

  /// Without the C library's tables every byte is the character of its number.
  private static func latin(_ bytes: Span<UInt8>) -> FixedText<128> {
    var text = FixedText<128>()
    for index in bytes.indices { text.append(scalar: Unicode.Scalar(bytes[index])) }
    return text
  }
}

/// What a file's tags have in common.
struct TagSurvey {
  private(set) var isUTF8 = true
  private(set) var extendedUnix = PairCount()
  private(set) var shiftJIS = PairCount()

  mutating func add(_ text: Span<UInt8>) {
    if !Self.isUTF8(text) { isUTF8 = false }
    extendedUnix.add(text) { PairCount.extendedUnixKind($0, $1) }
    shiftJIS.add(text) { PairCount.shiftJISKind($0, $1) }
  }

  /// A character that was cut off at the end does not count, unless it is the only one: then it is an accented letter.
  private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    var decoder = UTF8Decoder()
    var isWritten = false
    for index in bytes.indices {
      let wasInside = decoder.isInsideCharacter
      let scalar = decoder.next(bytes[index])
      if scalar == UTF8Decoder.replacement || (wasInside && !bytes[index].isUTF8Continuation) { return false }
      if wasInside, scalar != nil { isWritten = true }
    }
    return isWritten || !decoder.isInsideCharacter
  }
}

/// How well texts can be read as characters of two bytes.
struct PairCount {
  enum Kind {
    case syllable
    case kana
    case other
    /// A character of one byte.
    case single
    /// The bytes are not of this charset.
    case none
  }

  private(set) var isBroken = false
  private(set) var count = 0
  private(set) var syllableCount = 0
  private(set) var kanaCount = 0
  /// Pairs whose second byte is no ASCII character either.
  private var highCount = 0
  private var runCount = 0
  private var attachedRunCount = 0

  /// Whether most of them stand beside small letters, as accented letters do.
  var areAttached: Bool { 2 * attachedRunCount > runCount }

  /// As Shift-JIS: with kana, which no other text resembles, or without small letters beside most characters.
  var isJapanese: Bool {
    guard !isBroken, count > 0 else { return false }
    return 4 * kanaCount >= count || (highCount > 0 && 2 * highCount >= count && !areAttached)
  }

  /// - Parameter kind: of a byte that is not an ASCII character, and the one after it.
  mutating func add(_ bytes: Span<UInt8>, kind: (UInt8, UInt8) -> Kind) {
    var index = 0
    var isInRun = false
    var isAttached = false
    defer { if isInRun, isAttached { attachedRunCount += 1 } }
    while index < bytes.count {
      guard bytes[index] >= 0x80 else {
        if isInRun, isAttached || Self.isSmallLetter(bytes[index]) { attachedRunCount += 1 }
        isInRun = false
        index += 1
        continue
      }
      // The last character may be cut off.
      guard index + 1 < bytes.count else { return }
      let found = kind(bytes[index], bytes[index + 1])
      if case .none = found { isBroken = true }
      if !isInRun {
        isInRun = true
        runCount += 1
        isAttached = index > 0 && Self.isSmallLetter(bytes[index - 1])
      }
      index += note(found, second: bytes[index + 1])
    }
  }

  /// - Returns: how many bytes the character has.
  private mutating func note(_ kind: Kind, second: UInt8) -> Int {
    switch kind {
    case .none, .single: return 1
    case .syllable: syllableCount += 1
    case .kana: kanaCount += 1
    case .other: break
    }
    count += 1
    if second >= 0x80 { highCount += 1 }
    return 2
  }

  private static func isSmallLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

  /// EUC-KR and EUC-JP share their rows: syllables of Korean lie where Japanese has its most frequent characters.
  static func extendedUnixKind(_ first: UInt8, _ second: UInt8) -> Kind {
    guard first > 0x80, first < 0xFF, second < 0xFF else { return .none }
    if first >= 0xA1, second >= 0xA1 {
      if first == 0xA4 || first == 0xA5 { return .kana }
      return first >= 0xB0 && first <= 0xC8 ? .syllable : .other
    }
    // Microsoft's additional syllables.
    guard first <= 0xC6 else { return .none }
    let isLetter = (0x41...0x5A).contains(second) || (0x61...0x7A).contains(second)
    return isLetter || second > 0x80 ? .other : .none
  }

  static func shiftJISKind(_ first: UInt8, _ second: UInt8) -> Kind {
    if (0xA1...0xDF).contains(first) { return .single }
    guard (0x81...0x9F).contains(first) || (0xE0...0xFC).contains(first) else { return .none }
    guard second >= 0x40, second <= 0xFC, second != 0x7F else { return .none }
    let isHiragana = first == 0x82 && second >= 0x9F && second <= 0xF1
    let isKatakana = first == 0x83 && second <= 0x96
    return isHiragana || isKatakana ? .kana : .other
  }
}
