/// Why a file cannot be played.
package enum DecoderRefusal: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  /// It has no bytes.
  case empty
  /// Not a known media format, whatever its name.
  case unknownKind
  /// A media file, but without sound.
  case noSound
  /// Its codec is unknown.
  case unknownCodec
  /// It begins as a media file, but its sound cannot be decoded.
  case damaged
  /// It could not be read from the card.
  case unreadable
  /// It took longer than 2 s to open.
  case tooSlow
  /// It crashed the decoder.
  case fatal

  /// What is wrong, as the predicate of a sentence whose subject is the file's name.
  package var problem: StaticString {
    switch self {
    case .empty: "is empty"
    case .unknownKind: "is not a known media format"
    case .noSound: "holds no sound"
    case .unknownCodec: "has an unknown codec"
    case .damaged: "is damaged: no sound can be decoded"
    case .unreadable: "cannot be read"
    case .tooSlow: "could not be opened within 2 s"
    case .fatal: "crashed the decoder: it is damaged"
    }
  }
}
