/// Why a file cannot be played.
public enum DecoderRefusal: UInt8, BitwiseCopyable, Equatable, Sendable {
  /// It has no bytes.
  case empty
  /// No kind of media file that is known here, whatever its name says.
  case unknownKind
  /// A media file, but without sound.
  case noSound
  /// Its kind of coding is not known here.
  case unknownCodec
  /// It begins as a media file, but no sound can be got out of it.
  case damaged
  /// It could not be read from the card.
  case unreadable
  /// It took longer than a listener waits.
  case tooSlow
  /// The decoder fell over it.
  case fatal

  /// What is wrong, as the end of a sentence that begins with the file's name.
  public var problem: StaticString {
    switch self {
    case .empty: "is empty"
    case .unknownKind: "is no media file that is known here"
    case .noSound: "holds no sound"
    case .unknownCodec: "is coded in a way that is not known here"
    case .damaged: "is damaged: no sound can be got out of it"
    case .unreadable: "cannot be read"
    case .tooSlow: "could not be opened within 2 s"
    case .fatal: "made the decoder fall: it is damaged"
    }
  }
}
