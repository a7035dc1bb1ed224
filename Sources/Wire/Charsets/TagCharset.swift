import Base
import CCharset

/// The charset of text that does not state it. Most programs wrote the one that their system used.
package enum TagCharset {
  case utf8
  case western
  case westernDOS
  case westernMac
  /// ISO 8859-15: with the letters of French that ISO 8859-1 lacks, and the euro.
  case westernEuro
  case central
  /// ISO 8859-2.
  case centralUnix
  case baltic
  case turkish
  case greek
  case cyrillic
  case cyrillicUnix
  case cyrillicDOS
  case hebrew
  case arabic
  case thai
  /// EUC-KR with Microsoft's additional syllables.
  case korean
  /// Shift-JIS with Microsoft's additions.
  case japanese
  case japaneseUnix
  /// ISO 2022, which has nothing but ASCII bytes.
  case japaneseMail
  /// GB 2312 with Microsoft's additions.
  case simplified
  case traditional

  /// The C library's name for the charset; nil for UTF-8.
  fileprivate var name: StaticString? {
    switch self {
    case .utf8: nil
    case .western: "CP1252"
    case .westernDOS: "CP850"
    case .westernMac: "MACINTOSH"
    case .westernEuro: "ISO-8859-15"
    case .central: "CP1250"
    case .centralUnix: "ISO-8859-2"
    case .baltic: "CP1257"
    case .turkish: "CP1254"
    case .greek: "CP1253"
    case .cyrillic: "CP1251"
    // KOI8-R with the letters of Ukraine.
    case .cyrillicUnix: "KOI8-U"
    case .cyrillicDOS: "CP866"
    case .hebrew: "CP1255"
    case .arabic: "CP1256"
    case .thai: "CP874"
    case .korean: "CP949"
    case .japanese: "CP932"
    case .japaneseUnix: "EUC-JP"
    case .japaneseMail: "ISO-2022-JP"
    case .simplified: "GBK"
    case .traditional: "BIG5"
    }
  }

  /// Loads the C library's tables while it can still open files.
  package static func loadTables() {
    for number in 0..<LanguageModel.count {
      guard let name = LanguageModel(number: number).charset.name else { continue }
      unsafe charset_load(name.cString)
    }
    if let name = TagCharset.japaneseMail.name { unsafe charset_load(name.cString) }
  }

  /// The text in UTF-8, truncated to fit.
  package func text(_ found: FixedText<256>) -> FixedText<128> {
    guard let name else { return FixedText(found.bytes) }
    var source = InlineArray<257, CChar>(repeating: 0)
    for index in found.bytes.indices { source[index] = CChar(bitPattern: found.bytes[index]) }
    var bytes = InlineArray<129, CChar>(repeating: 0)
    var span = bytes.mutableSpan
    let isConverted = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe source.span.withUnsafeBufferPointer { source in
        unsafe charset_convert(name.cString, source.baseAddress!, buffer.baseAddress!, buffer.count) >= 0
      }
    }
    guard isConverted else { return Self.latin(found.bytes) }
    return unsafe bytes.span.withUnsafeBufferPointer { unsafe FixedText(cString: $0.baseAddress) }
  }

  /// Writes the text in UTF-8, zero-terminated.
  /// - Returns: nil if the C library lacks the tables; else whether the last character is complete.
  package func convert(_ text: UnsafePointer<CChar>, into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Bool? {
    guard let name else { return nil }
    let result = unsafe charset_convert(name.cString, text, buffer, capacity)
    return result < 0 ? nil : result == 0
  }

  /// Without the C library's tables, every byte is the character of its number.
  private static func latin(_ bytes: Span<UInt8>) -> FixedText<128> {
    var text = FixedText<128>()
    for index in bytes.indices { text.append(scalar: Unicode.Scalar(bytes[index])) }
    return text
  }
}

/// Finds the charset of one file's texts: UTF-8 if they are valid UTF-8, else the one that makes them the most usual
/// letters.
package struct TagSurvey {
  private var isUTF8 = true
  private var isMail = false
  private var costs = InlineArray<37, Double>(repeating: 0)

  package init() {}

  package mutating func add(_ text: Span<UInt8>) {
    if !Self.isUTF8(text) { isUTF8 = false }
    if Self.isMail(text) { isMail = true }
    // ASCII costs the same in all charsets.
    guard Self.hasOthers(text) else { return }
    let sourceCount = min(text.count, Int(charset_longest_text))
    let capacity = 3 * sourceCount + 4
    // Safe: static memory with room for both, used by one thread.
    guard let source = unsafe charset_room() else { return }
    let target = unsafe source + sourceCount + 1
    for index in 0..<sourceCount { unsafe source[index] = text[index] }
    unsafe source[sourceCount] = 0
    var converted: TagCharset?
    var count = 0
    var cost = 0.0
    for number in 0..<LanguageModel.count {
      let model = LanguageModel(number: number)
      if converted != model.charset {
        (count, cost) = unsafe Self.convert(source, sourceCount, from: model.charset, into: target, capacity)
        converted = model.charset
      }
      // Safe: `count` bytes were written.
      costs[number] += unsafe cost + LetterCosts(model).sum(Span(_unsafeStart: target, count: count))
    }
  }

  /// The cost of a text cut off within a character, which is rare.
  private static let cutCost = 8.0

  /// - Returns: its length in UTF-8, and the additional cost of the conversion.
  private static func convert(
    _ source: UnsafeMutablePointer<UInt8>, _ sourceCount: Int, from charset: TagCharset,
    into target: UnsafeMutablePointer<UInt8>, _ capacity: Int
  ) -> (count: Int, cost: Double) {
    unsafe source.withMemoryRebound(to: CChar.self, capacity: sourceCount + 1) { source in
      unsafe target.withMemoryRebound(to: CChar.self, capacity: capacity) { target in
        guard let isWhole = unsafe charset.convert(source, into: target, capacity: capacity) else {
          return (0, .infinity)
        }
        return (unsafe strnlen(target, capacity), isWhole ? 0 : cutCost)
      }
    }
  }

  package var charset: TagCharset {
    guard !isUTF8 else { return isMail ? .japaneseMail : .utf8 }
    var best = TagCharset.western
    var least = Double.infinity
    for number in 0..<LanguageModel.count {
      let model = LanguageModel(number: number)
      let cost = costs[number] + model.handicap
      if cost < least {
        least = cost
        best = model.charset
      }
    }
    return best
  }

  /// What was meant by a text of UTF-8 whose letters are the bytes of another one, each taken for the Latin-1 letter of
  /// its number: `BjÃ¶rk`, `Ïåñíÿ`. Some programs and stations write texts so.
  /// - Returns: nil if it is no such text, as far as can be told.
  package static func meaning(of text: Span<UInt8>) -> FixedText<128>? {
    var bytes = FixedText<256>()
    var (letterCount, otherCount) = (0, 0)
    var decoder = UTF8Decoder()
    for index in text.indices {
      guard let scalar = decoder.next(text[index]) else { continue }
      guard scalar.value < 0x100 else { return nil }
      let byte = UInt8(scalar.value)
      if byte >= 0x80 {
        otherCount += 1
      } else if byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z") {
        letterCount += 1
      }
      bytes.append(byte: byte)
    }
    guard otherCount > 0 else { return nil }
    var survey = TagSurvey()
    survey.add(bytes.bytes)
    let charset = survey.charset
    switch charset {
    case .utf8: return otherCount > 1 ? FixedText(bytes.bytes) : nil
    case .greek, .cyrillic, .cyrillicUnix, .hebrew, .arabic, .thai, .korean, .japanese, .japaneseUnix, .simplified,
      .traditional:
      // In no language of Western Europe do nearly all letters have marks.
      return otherCount >= 4 && otherCount > 2 * letterCount ? charset.text(bytes) : nil
    default: return nil
    }
  }

  /// Whether there is ASCII alone, and the switch from it to two bytes a character (RFC 1468).
  private static func isMail(_ bytes: Span<UInt8>) -> Bool {
    guard !hasOthers(bytes), let place = bytes.firstIndex(of: "\u{1B}") else { return false }
    let rest = bytes.extracting(droppingFirst: place + 1)
    return rest.removingPrefix("$B") != nil || rest.removingPrefix("$@") != nil
  }

  private static func hasOthers(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] >= 0x80 { return true }
    return false
  }

  /// A character cut off at the end is ignored, unless it is the only one: then it is an accented letter.
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
