import Base

/// The containers whose packets are sent as they are.
enum FileKind: UInt8 {
  /// Layer III of MPEG-1 and MPEG-2, frame after frame.
  case mp3
  /// AAC, each frame with a header of its own (ADTS).
  case aac
  case flac
  /// Opus, Vorbis or FLAC in Ogg.
  case ogg

  var path: MonitorPath {
    switch self {
    case .mp3: .fileMP3
    case .aac: .fileAAC
    case .flac: .fileFLAC
    case .ogg: .fileOgg
    }
  }

  var mediaType: StaticString {
    switch self {
    case .mp3: "audio/mpeg"
    case .aac: "audio/aac"
    case .flac: "audio/flac"
    case .ogg: "audio/ogg"
    }
  }

  /// FFmpeg's name of the format.
  var formatName: StaticString {
    switch self {
    case .mp3: "mp3"
    case .aac: "aac"
    case .flac: "flac"
    case .ogg: "ogg"
    }
  }
}

/// Why a file is not sent, or no longer.
enum FileProblem: UInt8, Error {
  case notThere
  case unknownKind
  case noSound
  case changed
  case longPacket
  case notConfined
  case fallen

  var words: StaticString {
    switch self {
    case .notThere: "it cannot be opened: is it there, and may the program's user read it?"
    case .unknownKind: "it is neither MP3 nor AAC (ADTS), FLAC or Ogg"
    case .noSound: "it has no sound that can be sent as it is"
    case .changed: "it has become another file: restart fieldcorder-monitor"
    case .longPacket: "it has a packet of more than 65536 bytes"
    case .notConfined: "the system refuses the sandbox in which it is read"
    case .fallen: "it ended the process that reads it: it is damaged"
    }
  }
}

/// What the process that reads the file says, in packets: a byte that tells the kind, then bytes.
enum FileMessage: UInt8 {
  /// A ``FileKind``, and what everybody's stream begins with.
  case beginning
  /// Whole packets, or pages of Ogg.
  case packets
  /// A ``FileProblem``; nothing comes behind it.
  case problem

  /// The longest packet that is sent: four of them fit into what a listener may be behind. FLAC of two channels of 24 bits
  /// has at most 28 kB in 4,608 samples, the longest that encoders make.
  static var packetByteCount: Int { 65_536 }
  /// The longest header: of Vorbis, whose code books take some kilobytes.
  static var headerByteCount: Int { 65_536 }
  /// Bytes of the longest message: what ``OggSink`` holds, and the kind.
  static var largestByteCount: Int { 131_073 }
}
