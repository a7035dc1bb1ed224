import CMessages

/// Messages to people, in their language.
///
/// Every message is built in English and translated on output: `docs/decisions/0032` says why.
package enum Messages {
  /// A translated line; text that does not fit is cut off between characters.
  package typealias Line = FixedText<1024>

  /// Longer lines are not translated.
  static let longestByteCount = 1024

  /// - Parameters:
  ///   - line: in English, without its line feed.
  ///   - mayBeMarked: whether a leading `error: `, `* ` or `fieldcorder: ` is kept as it is.
  /// - Returns: nil if the line stays as it is.
  @export(interface)
  package static func line(_ line: Span<UInt8>, in language: Language, mayBeMarked: Bool = false) -> Line? {
    guard language == .korean, line.count <= longestByteCount else { return nil }
    let markByteCount = mayBeMarked ? line.markByteCount : 0
    var translated = Line(line.extracting(first: markByteCount))
    var translator = Translator()
    if translator.append(line.extracting(droppingFirst: markByteCount), .message, to: &translated) { return translated }
    return nil
  }

  /// Translates words on the display.
  /// - Returns: the words unchanged if there is no translation.
  @export(interface)
  package static func displayed(_ words: FixedText<48>, in language: Language) -> FixedText<48> {
    guard language == .korean else { return words }
    var translated = Line()
    var translator = Translator()
    guard translator.append(words.bytes, .display, to: &translated) else { return words }
    return FixedText(translated.bytes)
  }
}

extension Span where Element == UInt8 {
  /// The length in bytes of the prefix by which scripts identify a line.
  fileprivate var markByteCount: Int {
    if removingPrefix("error: ") != nil { return 7 }
    if removingPrefix("* ") != nil { return 2 }
    return removingPrefix("fieldcorder: ") == nil ? 0 : 13
  }
}

/// What fits into a placeholder of a message: ``text``, ``number`` and ``path`` take that kind of text, all others a
/// message of one context. The numbers are those of `board/messages/pack`.
struct HoleKind: Equatable {
  let rawValue: UInt8

  static var text: HoleKind { HoleKind(rawValue: 1) }
  static var number: HoleKind { HoleKind(rawValue: 2) }
  static var message: HoleKind { HoleKind(rawValue: 3) }
  static var display: HoleKind { HoleKind(rawValue: 4) }
  /// A text without spaces.
  static var path: HoleKind { HoleKind(rawValue: 5) }
}

/// The translations packed by `board/messages/pack`. Spans of them are valid for the life of the process.
enum MessageTable {
  /// The packed translation of a message without placeholders.
  ///
  /// It is found by a 32-bit hash and its length alone: with 1,300 messages, one in three million lines that are not
  /// messages would be mistaken for one.
  @_lifetime(immortal)
  static func translation(of text: Span<UInt8>, _ kind: HoleKind) -> Span<UInt8>? {
    var hash = UInt32(kind.rawValue)
    for index in text.indices { hash = hash &* 1_000_003 &+ UInt32(text[index]) }
    guard let start = unsafe messages_find(hash, UInt8(truncatingIfNeeded: text.count)) else { return nil }
    return unsafe bytes(from: start)
  }

  /// The numbers of a kind's patterns, those with the most literal bytes first.
  static func patterns(of kind: HoleKind) -> Range<UInt32> {
    messages_first_pattern(UInt32(kind.rawValue))..<messages_first_pattern(UInt32(kind.rawValue) + 1)
  }

  @_lifetime(immortal)
  static func pattern(_ number: UInt32) -> Span<UInt8> { unsafe bytes(from: messages_pattern(number)) }

  /// The packed translation of a pattern.
  @_lifetime(immortal)
  static func translation(ofPattern number: UInt32) -> Span<UInt8> {
    unsafe bytes(from: messages_pattern(number) + pattern(number).count + 1)
  }

  /// Bytes from this one on stand for a phrase; lower ones begin a syllable.
  static var firstPhrase: UInt8 { 0xD8 }

  /// A packed phrase.
  @_lifetime(immortal)
  static func phrase(_ number: UInt8) -> Span<UInt8> { unsafe bytes(from: messages_phrase(UInt32(number))) }

  /// - Parameter start: the first of 0-terminated bytes.
  @_lifetime(immortal)
  private static func bytes(from start: UnsafePointer<UInt8>) -> Span<UInt8> {
    var count = 0
    while unsafe start[count] != 0 { count += 1 }
    // Safe: the bytes are constants in the program.
    let bytes = unsafe Span(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(bytes, copying: ())
  }
}
