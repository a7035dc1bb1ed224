import Base
import Media

/// What the journal stores about an open audio file: enough to rebuild its header, if a card loses that together with
/// the unit being written. A line of five numbers; earlier versions wrote the first four.
struct SoundNote: BitwiseCopyable {
  var format: AudioFormat
  /// The instant of the first sample, seconds since 1970-01-01 UTC.
  var createdUnixSeconds: UInt64
  /// How many frames later than that second it is.
  var createdFrames: UInt32

  init(_ audio: AudioFileDescription) {
    format = audio.format
    createdUnixSeconds = audio.provenance.createdUnixSeconds
    createdFrames = audio.provenance.createdFrames
  }

  /// - Returns: nil if the line is damaged.
  init?(_ line: Span<UInt8>) {
    var numbers = InlineArray<5, UInt64>(repeating: 0)
    var start = 0
    for place in numbers.indices {
      if place == 4, start > line.count { break }
      guard start <= line.count else { return nil }
      var end = start
      while end < line.count, line[end] != UInt8(ascii: " ") { end += 1 }
      guard let number = line.extracting(start..<end).parseInteger() else { return nil }
      numbers[place] = number
      start = end + 1
    }
    guard numbers[0] >= 8_000, numbers[0] <= 192_000, numbers[1] >= 1, numbers[1] <= 8,
      let sampleFormat = SampleFormat(bits: numbers[2])
    else { return nil }
    format = AudioFormat(
      sampleRateHz: UInt32(numbers[0]), channelCount: UInt16(numbers[1]), sampleFormat: sampleFormat)
    createdUnixSeconds = numbers[3]
    createdFrames = UInt32(min(numbers[4], numbers[0] - 1))
  }

  /// At most 6 + 1 + 1 + 1 + 2 + 1 + 20 + 1 + 6 = 39 bytes.
  var line: FixedText<64> {
    """
    \(format.sampleRateHz) \(format.channelCount) \(format.sampleFormat.bitsPerSample) \(createdUnixSeconds) \
    \(createdFrames)
    """
  }

  /// The file's description; nil if the path is not that of an audio file.
  func description(of path: borrowing FixedText<128>, settings: WritingSettings) -> AudioFileDescription? {
    guard let container = AudioContainer(ofFile: path) else { return nil }
    var provenance = Provenance(
      device: settings.identity, createdUnixSeconds: createdUnixSeconds, createdFrames: createdFrames,
      software: settings.software)
    provenance.fileNumber = TakeName(stemOf: path.lastPart)?.number ?? 0
    return AudioFileDescription(container: container, format: format, provenance: provenance)
  }
}

extension SampleFormat {
  fileprivate init?(bits: UInt64) {
    switch bits {
    case 16: self = .int16
    case 24: self = .int24
    case 32: self = .float32
    default: return nil
    }
  }
}

/// Something that happened while the devices were running: a ledger entry in each take that covers it.
package struct TakeNote: BitwiseCopyable, Sendable {
  /// Where it happened on the timeline.
  package var position: TimelinePosition
  /// What happened, without position and time.
  package var text: FixedText<96>

  package init(position: TimelinePosition, text: FixedText<96>) {
    self.position = position
    self.text = text
  }
}
