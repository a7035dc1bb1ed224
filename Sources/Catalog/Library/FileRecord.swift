import Base
import Wire

/// A file of the index: 40 bytes. Its texts are in the index's ``TextSlab``.
struct FileRecord: BitwiseCopyable {
  var byteCount: UInt64
  var modifiedNanoseconds: Int64
  /// NaN while it is unknown.
  var durationSeconds: Double
  /// The offset of its texts; in an unused record: the next unused one.
  var textOffset: UInt32
  /// The take's number; 0 for other files.
  var takeNumber: UInt32
  var texts: TextLengths
  var kind: MediaKind
  var state: ProbeState
  /// The last pass that found it, modulo 256.
  var passNumber: UInt8

  /// Whether it is a file with sound, as far as is known.
  var mayBePlayed: Bool {
    switch state {
    case .waiting, .underway, .playable: true
    case .notNeeded, .unplayable: false
    }
  }
}

/// The lengths of a file's texts, which are stored one after the other.
struct TextLengths: BitwiseCopyable {
  /// At most 256.
  var path: UInt16
  /// At most 128.
  var title: UInt8
  /// At most 128.
  var artist: UInt8
}

/// What is known of a file besides that it exists.
enum ProbeState: BitwiseCopyable, Equatable {
  /// A photo, which has no sound.
  case notNeeded
  case waiting
  case underway
  case playable
  case unplayable(DecoderRefusal)

  /// Whether the file's tags have not been read yet.
  var isUnread: Bool { self == .waiting || self == .underway }
}
