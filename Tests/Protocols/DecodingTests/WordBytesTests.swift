import Base
import TestSupport
import Testing
import Wire

@Suite struct WordBytesTests {
  @Test("Any order survives encoding and decoding")
  func ordersComeBack() {
    var words = RandomWords(seed: 1)
    for _ in 0..<20_000 {
      let order = words.order()
      #expect(DecoderOrder(order.encoded) == order)
    }
  }

  @Test("Any message survives encoding and decoding, and fits a datagram of 512 bytes")
  func messagesComeBack() {
    var words = RandomWords(seed: 2)
    for _ in 0..<20_000 {
      let message = words.message()
      #expect(DecoderMessage(message.encoded) == message)
    }
    #expect(DecoderMessage.maximumByteCount <= 512)
    #expect(DecoderOrder.maximumByteCount <= 512)
  }

  @Test("The bytes are the kind and its fields, little-endian and without gaps")
  func areLaidOut() {
    #expect(
      DecoderOrder.open(requestID: 0x0102_0304, ringFrame: 0x0506).encoded
        == [1, 4, 3, 2, 1, 6, 5, 0, 0, 0, 0, 0, 0])
    #expect(
      DecoderOrder.open(requestID: 0x0102_0304, ringFrame: 0x0506, isSynced: true).encoded
        == [12, 4, 3, 2, 1, 6, 5, 0, 0, 0, 0, 0, 0])
    #expect(DecoderOrder.setRate(1).encoded == [7, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
    #expect(DecoderMessage.refused(requestID: 7, .damaged).encoded == [3, 7, 0, 0, 0, 4])
  }

  @Test("Random bytes decode to an order only when they are its encoding", arguments: 0..<4 as Range<UInt64>)
  func judgesOrders(seed: UInt64) {
    var words = RandomWords(seed: 10 + seed)
    var acceptedCount = 0
    for _ in 0..<25_000 {
      let bytes = spoilt(words.order().encoded, by: &words)
      guard let order = DecoderOrder(bytes) else { continue }
      acceptedCount += 1
      #expect(order.encoded == bytes)
      #expect(isInRange(order))
    }
    #expect(acceptedCount > 100)
  }

  @Test("Random bytes decode to a message only when they are its encoding", arguments: 0..<4 as Range<UInt64>)
  func judgesMessages(seed: UInt64) {
    var words = RandomWords(seed: 20 + seed)
    var acceptedCount = 0
    for _ in 0..<25_000 {
      let bytes = spoilt(words.message().encoded, by: &words)
      guard let message = DecoderMessage(bytes) else { continue }
      acceptedCount += 1
      #expect(message.encoded == bytes)
      #expect(isInRange(message))
    }
    #expect(acceptedCount > 100)
  }

  @Test("A field out of its range is refused", arguments: [Double.nan, .infinity, -.infinity, -1, 1e7 + 1, 1e300])
  func refusesFractions(value: Double) {
    #expect(DecoderOrder(DecoderOrder.seek(seconds: value, ringFrame: 0).encoded) == nil)
    #expect(DecoderOrder(DecoderOrder.setRate(value).encoded) == nil)
    let section = PlaybackSection(startSeconds: 0, endSeconds: value)
    #expect(DecoderOrder(DecoderOrder.setSection(section).encoded) == nil)
    let mark = StreamMark(ringFrame: 0, requestID: 0, positionSeconds: value, rate: 1)
    #expect(DecoderMessage(DecoderMessage.mark(mark).encoded) == nil)
    var properties = playable()
    properties.durationSeconds = value
    #expect(DecoderMessage(DecoderMessage.opened(requestID: 0, properties, PacketReading()).encoded) == nil)
  }

  @Test("Frames beyond 2⁶², sections that end where they begin, files without a rate or channels are refused")
  func refusesNumbers() {
    #expect(DecoderOrder(DecoderOrder.fill(endFrame: 1 << 62 + 1).encoded) == nil)
    #expect(DecoderMessage(DecoderMessage.filled(endFrame: .max, PacketReading()).encoded) == nil)
    #expect(DecoderMessage(DecoderMessage.ended(ringFrame: 0, PacketReading(nextPacket: .max)).encoded) == nil)
    #expect(
      DecoderOrder(DecoderOrder.setSection(PlaybackSection(startSeconds: 2, endSeconds: 2)).encoded) == nil)
    for spoil in [{ $0.sampleRateHz = 0 }, { $0.channelCount = 0 }, { $0.frameCount = .max }]
      as [(inout ItemProperties) -> Void]
    {
      var properties = playable()
      spoil(&properties)
      #expect(DecoderMessage(DecoderMessage.opened(requestID: 0, properties, PacketReading()).encoded) == nil)
    }
  }

  @Test(
    "Control characters in a title are sent as spaces, and refused when they are not",
    arguments: ["a\u{1B}b", "a\nb", "a\u{7F}b", "a\u{9B}b", "a\u{2028}b", "a\0b"])
  func refusesControls(title: String) throws {
    var properties = playable()
    properties.title = FixedText(title)
    let encoded = DecoderMessage.opened(requestID: 0, properties, PacketReading()).encoded
    let message = DecoderMessage(encoded)
    properties.title = "a b"
    #expect(message == .opened(requestID: 0, properties, PacketReading()))

    var plain = DecoderMessage.opened(requestID: 0, properties, PacketReading()).encoded
    let start = try #require(plain.firstRange(of: Array("a b".utf8))).lowerBound
    plain.replaceSubrange(start..<start + 3, with: Array(title.utf8))
    plain[start - 1] = UInt8(title.utf8.count)
    #expect(DecoderMessage(plain) == nil)
  }

  @Test("Invalid UTF-8 in a title is sent as U+FFFD, and refused when it is not")
  func refusesBrokenText() throws {
    let wrong: [[UInt8]] = [[0xFF, 0x61], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF0, 0x9F, 0x8E]]
    for bytes in wrong {
      var properties = playable()
      properties.title = FixedText<128>(bytes.span)
      guard
        case .opened(_, let told, _) = DecoderMessage(
          DecoderMessage.opened(requestID: 0, properties, PacketReading()).encoded)
      else {
        Issue.record("no message of \(bytes)")
        continue
      }
      #expect(String(told.title).unicodeScalars.contains("\u{FFFD}"))
      properties.title = "xyzxyzxyz"
      var plain = DecoderMessage.opened(requestID: 0, properties, PacketReading()).encoded
      let start = try #require(plain.firstRange(of: Array("xyzxyzxyz".utf8))).lowerBound
      plain.replaceSubrange(start..<start + bytes.count, with: bytes)
      #expect(DecoderMessage(plain) == nil)
    }
  }

  /// The bytes with some of them changed, removed, appended or replaced.
  private func spoilt(_ word: [UInt8], by words: inout RandomWords) -> [UInt8] {
    var bytes = word
    switch Int.random(in: 0..<5, using: &words.generator) {
    case 0:
      for _ in 0..<Int.random(in: 1...4, using: &words.generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &words.generator)] ^=
          UInt8(1) << UInt8.random(in: 0...7, using: &words.generator)
      }
    case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &words.generator))
    case 2: bytes += words.bytes(count: .random(in: 1...20, using: &words.generator))
    case 3:
      bytes = words.bytes(count: .random(in: 0...400, using: &words.generator))
      if !bytes.isEmpty { bytes[0] %= 12 }
    default: bytes.replaceSubrange(1..., with: words.bytes(count: bytes.count - 1))
    }
    return bytes
  }

  private func playable() -> ItemProperties {
    var properties = ItemProperties()
    properties.sampleRateHz = 44_100
    properties.channelCount = 2
    return properties
  }

  private func isInRange(_ order: DecoderOrder) -> Bool {
    switch order {
    case .open(_, let frame, _), .fill(let frame): frame <= 1 << 62
    case .seek(let seconds, let frame): (0...1e7).contains(seconds) && frame <= 1 << 62
    case .setSection(let section?):
      (0...1e7).contains(section.startSeconds) && (0...1e7).contains(section.endSeconds)
        && section.startSeconds < section.endSeconds
    case .setRate(let rate): (0.5...2).contains(rate)
    case .openNext, .forgetNext, .setSection(nil), .close, .probe, .extract: true
    }
  }

  private func isInRange(_ message: DecoderMessage) -> Bool {
    switch message {
    case .ready, .refused, .searching, .extracted(_, .nothing): true
    case .extracted(_, .lyrics(let byteCount, _)): byteCount <= ExtractMemory.byteCount
    case .extracted(_, .picture(let width, let height)): (1...200).contains(width) && (1...200).contains(height)
    case .opened(_, let properties, let reading):
      (0...1e7).contains(properties.durationSeconds) && properties.frameCount <= 1 << 62
        && properties.sampleRateHz > 0 && properties.channelCount > 0 && reading.nextPacket <= 1 << 62
        && [String(properties.title), String(properties.artist), String(properties.codecName)].allSatisfy { text in
          text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    case .mark(let mark):
      mark.ringFrame <= 1 << 62 && (0...1e7).contains(mark.positionSeconds) && (0.5...2).contains(mark.rate)
    case .titled(let frame, let title, let artist):
      frame <= 1 << 62
        && [String(title), String(artist)].allSatisfy { text in
          text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    case .filled(let frame, let reading), .ended(let frame, let reading):
      frame <= 1 << 62 && reading.nextPacket <= 1 << 62
    }
  }
}
