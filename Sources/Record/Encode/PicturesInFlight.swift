import Base

/// The headers of the pictures in the encoder, found by the timestamps that the encoder passes through.
struct PicturesInFlight {
  private struct Entry: BitwiseCopyable {
    var timestampMicroseconds: UInt64 = 0
    var header = PictureHeader(samplePosition: 0, instant: 0, cameraSequence: 0)
  }

  private var entries = InlineArray<32, Entry>(repeating: Entry())
  private var firstIndex = 0
  private(set) var count = 0
  private var lastTimestampMicroseconds: UInt64 = 0

  var isFull: Bool { count == CodingLimits.picturesInFlight }

  /// - Returns: the timestamp for the encoder: the picture's own, made unique.
  mutating func append(_ header: PictureHeader) -> UInt64 {
    let timestamp = max(header.instant.rawValue / 1000, lastTimestampMicroseconds + 1)
    lastTimestampMicroseconds = timestamp
    entries[(firstIndex + count) % CodingLimits.picturesInFlight] = Entry(
      timestampMicroseconds: timestamp, header: header)
    count += 1
    return timestamp
  }

  /// Removes the picture with this timestamp, and earlier ones, which will not come out any more.
  /// - Returns: nil, with nothing removed, for an unknown timestamp.
  mutating func take(timestampMicroseconds: UInt64) -> (header: PictureHeader, missingCount: Int)? {
    for offset in 0..<count {
      let entry = entries[(firstIndex + offset) % CodingLimits.picturesInFlight]
      guard entry.timestampMicroseconds == timestampMicroseconds else { continue }
      firstIndex = (firstIndex + offset + 1) % CodingLimits.picturesInFlight
      count -= offset + 1
      return (entry.header, offset)
    }
    return nil
  }

  /// - Returns: how many pictures there were.
  mutating func removeAll() -> Int {
    defer { count = 0 }
    return count
  }
}
