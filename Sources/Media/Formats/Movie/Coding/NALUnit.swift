/// A unit of an H.264 stream (ITU-T H.264, 7.3.1): its first byte says what it is.
struct NALUnit {
  /// Where it lies in its packet, without start code and trailing zeros; never empty.
  let range: Range<Int>
  let kind: Kind

  enum Kind: Equatable {
    /// Part of a picture.
    case slice
    case sequenceParameters
    case pictureParameters
    /// It says nothing that the file's own tables do not: where a picture begins, where the stream ends, padding.
    case delimiter
    /// Carried along: supplemental information.
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
