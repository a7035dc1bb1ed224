import Base

/// Finds the units of an Annex B byte stream (ITU-T H.264, B.1.1): each starts after the three bytes 0, 0, 1.
///
/// Bytes before the first start code are not a unit, nor is an empty one. Zeros before a start code and at the end
/// belong to no unit; emulation prevention bytes are left in place, as in a file.
struct ByteStreamReader: ~Escapable {
  private let bytes: RawSpan
  /// After the start code found last; nil if there are no more.
  private var unitStart: Int?

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) {
    self.bytes = bytes
    unitStart = Self.startCode(in: bytes, from: 0).map { $0 + 3 }
  }

  /// The next unit; nil after the last.
  mutating func next() -> NALUnit? {
    while let start = unitStart {
      let startCode = Self.startCode(in: bytes, from: start)
      unitStart = startCode.map { $0 + 3 }
      var end = startCode ?? bytes.byteCount
      while end > start, bytes.byte(at: end - 1) == 0 { end -= 1 }
      if end > start { return NALUnit(start..<end, firstByte: bytes.byte(at: start)) }
    }
    return nil
  }

  /// Where the next 0, 0, 1 is. If the third byte is larger than 1, none of the three can begin a start code.
  private static func startCode(in bytes: RawSpan, from start: Int) -> Int? {
    var index = start
    while index + 3 <= bytes.byteCount {
      let third = bytes.byte(at: index + 2)
      if third > 1 {
        index += 3
      } else if third == 1, bytes.byte(at: index + 1) == 0, bytes.byte(at: index) == 0 {
        return index
      } else {
        index += 1
      }
    }
    return nil
  }
}

/// A unit of an H.264 stream (ITU-T H.264, 7.3.1); its first byte is its type.
struct NALUnit {
  /// Its range in the packet, without start code and trailing zeros; never empty.
  let range: Range<Int>
  let kind: Kind

  enum Kind: Equatable {
    /// Part of a picture.
    case slice
    case sequenceParameters
    case pictureParameters
    /// Redundant in a file: delimiters, the end of the stream, padding.
    case delimiter
    /// Passed through: supplemental information.
    case other
  }

  init(_ range: Range<Int>, firstByte: UInt8) {
    self.range = range
    // ITU-T H.264, table 7-1.
    switch firstByte & 0x1F {
    case 1...5: kind = .slice
    case 7: kind = .sequenceParameters
    case 8: kind = .pictureParameters
    case 9...12: kind = .delimiter
    default: kind = .other
    }
  }
}
