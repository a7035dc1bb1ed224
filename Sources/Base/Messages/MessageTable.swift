import CMessages

/// What fits into a hole of a message: ``text``, ``number`` and ``path`` are what they are, all others a message of one
/// context. Numbers as of `board/messages/pack`.
struct HoleKind: Equatable {
  let rawValue: UInt8

  static var text: HoleKind { HoleKind(rawValue: 1) }
  static var number: HoleKind { HoleKind(rawValue: 2) }
  static var message: HoleKind { HoleKind(rawValue: 3) }
  static var display: HoleKind { HoleKind(rawValue: 4) }
  /// A text without spaces.
  static var path: HoleKind { HoleKind(rawValue: 5) }
}

/// The translations, as `board/messages/pack` has packed them. Spans of them exist as long as the process.
enum MessageTable {
  /// The packed translation of a message without holes.
  ///
  /// It is found by a hash of 32 bits and by its length alone: with 800 messages one of five million lines that are none
  /// would be taken for one.
  @_lifetime(immortal)
  static func translation(of text: Span<UInt8>, _ kind: HoleKind) -> Span<UInt8>? {
    var hash = UInt32(kind.rawValue)
    for index in text.indices { hash = hash &* 1_000_003 &+ UInt32(text[index]) }
    guard let start = unsafe messages_find(hash, UInt8(truncatingIfNeeded: text.count)) else { return nil }
    return unsafe bytes(from: start)
  }

  /// The numbers of a kind's patterns, those with most bytes of their own first.
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

  /// From this byte on a byte of a translation is a phrase: those below begin a syllable.
  static var firstPhrase: UInt8 { 0xD8 }

  /// A packed phrase.
  @_lifetime(immortal)
  static func phrase(_ number: UInt8) -> Span<UInt8> { unsafe bytes(from: messages_phrase(UInt32(number))) }

  /// - Parameter start: of bytes that end with a 0.
  @_lifetime(immortal)
  private static func bytes(from start: UnsafePointer<UInt8>) -> Span<UInt8> {
    var count = 0
    while unsafe start[count] != 0 { count += 1 }
    // Sound: constants of the program.
    let bytes = unsafe Span(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(bytes, copying: ())
  }
}
