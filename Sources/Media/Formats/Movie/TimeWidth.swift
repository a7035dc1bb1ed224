/// The width of dates and durations in a `mvhd`, `tkhd` or `mdhd` (ISO/IEC 14496-12, 8.2.2, 8.3.2 and 8.4.2): 32 bits
/// in version 0, which every reader supports, 64 in version 1. Takes of earlier versions have version 1.
enum TimeWidth {
  case bits32
  case bits64

  /// The lowest version that can hold a date. Durations always fit: a movie ends before they overflow
  /// (``MovieLimits/audioFramesPerMovie``).
  /// - Parameter date: seconds since 1904; exceeds 32 bits from February 2040.
  init(date: UInt64) { self = date <= UInt64(UInt32.max) ? .bits32 : .bits64 }

  /// - Parameter contentStart: the offset of the box's version. Nil for an undefined version.
  init?(_ bytes: RawSpan, contentStart: Int) {
    switch bytes.big32(at: contentStart).map({ $0 >> 24 }) {
    case 0: self = .bits32
    case 1: self = .bits64
    default: return nil
    }
  }

  var version: UInt8 { self == .bits32 ? 0 : 1 }
  var byteCount: Int { self == .bits32 ? 4 : 8 }

  /// From the version to the creation date, which the modification date follows.
  static var datesOffset: Int { 4 }
  private var datesEnd: Int { Self.datesOffset + 2 * byteCount }
  /// In `mvhd` and `mdhd`; the duration follows.
  var timescaleOffset: Int { datesEnd }
  var durationOffset: Int { timescaleOffset + 4 }
  /// In `tkhd`; four reserved bytes and the duration follow.
  var trackIDOffset: Int { datesEnd }
  var trackDurationOffset: Int { trackIDOffset + 8 }
  /// After eight reserved bytes, layer, group and volume.
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

  /// A duration that does not fit becomes all ones, the standard's value for an unknown duration.
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
