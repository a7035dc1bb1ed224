/// How wide dates and durations are in a `mvhd`, `tkhd` or `mdhd` (ISO/IEC 14496-12, 8.2.2, 8.3.2 and 8.4.2): 32 bits
/// in version 0, which every reader knows, 64 in version 1. Takes of earlier versions have version 1.
enum TimeWidth {
  case bits32
  case bits64

  /// The oldest that can say a date. Durations always fit: a movie ends before
  /// (``MovieLimits/audioFramesPerMovie``).
  /// - Parameter date: seconds since 1904; beyond 32 bits from February 2040 on.
  init(date: UInt64) { self = date <= UInt64(UInt32.max) ? .bits32 : .bits64 }

  /// - Parameter contentStart: where the box has its version. Nil for a version that nobody has defined.
  init?(_ bytes: RawSpan, contentStart: Int) {
    switch bytes.big32(at: contentStart).map({ $0 >> 24 }) {
    case 0: self = .bits32
    case 1: self = .bits64
    default: return nil
    }
  }

  var version: UInt8 { self == .bits32 ? 0 : 1 }
  var byteCount: Int { self == .bits32 ? 4 : 8 }

  /// From the version to the date of creation, which the date of modification follows.
  static var datesOffset: Int { 4 }
  private var datesEnd: Int { Self.datesOffset + 2 * byteCount }
  /// The same of `mvhd` and `mdhd`; the duration follows.
  var timescaleOffset: Int { datesEnd }
  var durationOffset: Int { timescaleOffset + 4 }
  /// The same of `tkhd`; four reserved bytes and the duration follow.
  var trackIDOffset: Int { datesEnd }
  var trackDurationOffset: Int { trackIDOffset + 8 }
  /// Behind eight reserved bytes, layer, group and volume.
  var trackMatrixOffset: Int { trackDurationOffset + byteCount + 16 }

  func encode(_ time: UInt64, into writer: inout ByteWriter) {
    switch self {
    case .bits32: writer.big32(UInt32(clamping: time))
    case .bits64: writer.big64(time)
    }
  }

  func time(_ bytes: RawSpan, at offset: Int) -> UInt64? {
    switch self {
    case .bits32: bytes.big32(at: offset).map(UInt64.init)
    case .bits64: bytes.big64(at: offset)
    }
  }

  /// A duration that does not fit becomes all ones, which the standard has for one that nobody knows.
  func store(duration: UInt64, at offset: Int, in bytes: inout MutableRawSpan) {
    switch self {
    case .bits32: bytes.storeBig32(UInt32(clamping: duration), at: offset)
    case .bits64: bytes.storeBig64(duration, at: offset)
    }
  }

  /// A date that does not fit becomes 0: players show none rather than a wrong one.
  func store(date: UInt64, at offset: Int, in bytes: inout MutableRawSpan) {
    switch self {
    case .bits32: bytes.storeBig32(UInt32(exactly: date) ?? 0, at: offset)
    case .bits64: bytes.storeBig64(date, at: offset)
    }
  }
}
