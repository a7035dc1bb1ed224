import Base
import TestSupport
import Wire

/// Orders and messages of every kind, with fields drawn from their whole ranges and from the limits.
struct RandomWords {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func order() -> DecoderOrder {
    switch Int.random(in: 0..<11, using: &generator) {
    case 9: .extract(Extract(rawValue: .random(in: 0...2, using: &generator))!, requestID: number())
    case 0: .open(requestID: number(), ringFrame: count(), isSynced: .random(using: &generator))
    case 1: .openNext(requestID: number())
    case 2: .forgetNext
    case 3: .seek(seconds: seconds(), ringFrame: count())
    case 4: .setSection(section())
    case 5: .setSection(nil)
    case 6: .setRate(rate())
    case 7: .fill(endFrame: count())
    case 8: .close
    default: .probe(requestID: number())
    }
  }

  mutating func message() -> DecoderMessage {
    switch Int.random(in: 0..<11, using: &generator) {
    case 10: .titled(ringFrame: count(), title: text(), artist: text())
    case 7: .extracted(requestID: number(), .nothing)
    case 8:
      .extracted(
        requestID: number(),
        .lyrics(byteCount: .random(in: 0...120_000, using: &generator), isCut: .random(using: &generator)))
    case 9:
      .extracted(
        requestID: number(),
        .picture(width: .random(in: 1...200, using: &generator), height: .random(in: 1...200, using: &generator)))
    case 0: .ready
    case 1: .opened(requestID: number(), properties(), reading())
    case 2: .refused(requestID: number(), DecoderRefusal(rawValue: .random(in: 0...8, using: &generator))!)
    case 3: .mark(StreamMark(ringFrame: count(), requestID: number(), positionSeconds: seconds(), rate: rate()))
    case 4: .filled(endFrame: count(), reading())
    case 5: .searching
    default: .ended(ringFrame: count(), reading())
    }
  }

  mutating func bytes(count: Int) -> [UInt8] {
    (0..<count).map { _ in .random(in: 0...255, using: &generator) }
  }

  private mutating func properties() -> ItemProperties {
    var properties = ItemProperties()
    properties.durationSeconds = seconds()
    properties.frameCount = count()
    properties.sampleRateHz = .random(in: 1...10_000_000, using: &generator)
    properties.channelCount = .random(in: 1...1024, using: &generator)
    properties.codecName = text()
    properties.framesPerPacket = number()
    properties.packetsVary = .random(using: &generator)
    properties.largestPacketByteCount = number()
    properties.bufferByteCount = number()
    properties.packetsPerRead = number()
    properties.title = text()
    properties.artist = text()
    return properties
  }

  private mutating func reading() -> PacketReading {
    PacketReading(
      nextPacket: count(), readCount: number(), emptyReadCount: number(),
      held: HeldPackets(bufferCount: .random(in: 0...3, using: &generator), packetCount: number(), bytes: number()),
      scale: LengthScale(.positions, start: count(), perSecond: .random(in: 0...1e7, using: &generator)))
  }

  private mutating func section() -> PlaybackSection {
    let start = Double.random(in: 0..<1e7, using: &generator)
    return PlaybackSection(
      startSeconds: start, endSeconds: min(1e7, start + .random(in: 0.001...1000, using: &generator)))
  }

  private mutating func number() -> UInt32 {
    [0, .max, .random(in: 0 ... .max, using: &generator)].randomElement(using: &generator)!
  }

  private mutating func count() -> UInt64 {
    [0, 1 << 62, .random(in: 0...1 << 62, using: &generator)].randomElement(using: &generator)!
  }

  private mutating func seconds() -> Double {
    [0, 1e7, .random(in: 0...1e7, using: &generator)].randomElement(using: &generator)!
  }

  private mutating func rate() -> Double {
    [0.5, 1, 2, .random(in: 0.5...2, using: &generator)].randomElement(using: &generator)!
  }

  /// A random text that often fills its capacity.
  private mutating func text<let capacity: Int>() -> FixedText<capacity> {
    let letters = ["a", " ", "é", "녹음", "🎙", "\"", "\\", "~"]
    var text = FixedText<capacity>()
    for _ in 0..<Int.random(in: 0...2 * capacity, using: &generator) where !text.isTruncated {
      text.append(bytes: Array(letters.randomElement(using: &generator)!.utf8).span)
    }
    return text
  }
}
