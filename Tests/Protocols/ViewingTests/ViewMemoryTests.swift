import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct ViewMemoryTests {
  private static let layout = ViewLayout(
    capacityPackets: 4, capacityBytes: 1_000, widthPixels: 640, heightPixels: 480, soundBytes: 1_000, sharedBytes: 4096)

  @Test("What the recorder writes is what a view reads: layout, status, and the newest picture with its header")
  func agrees() throws {
    let region = SharedRegion(byteCount: Self.layout.byteCount)
    var memory = try unwrapped(region.place(Self.layout))
    let reader = try #require(region.reader)
    #expect(reader.layout == Self.layout)
    #expect(reader.status.read() == ViewStatus())
    memory.status.publish(.telling)
    #expect(reader.status.read() == .telling)
    memory.artwork.publish(unsafe ([1, 2, 3] as [UInt8]).span.bytes, size: PixelSize(width: 1, height: 1))
    #expect(reader.artwork.version == memory.artwork.version && reader.artwork.version > 0)
    #expect(reader.status.read() == .telling)
    #expect(reader.sheet.read() == "")
    for text in ["scene 12A\n", "", String(repeating: "x", count: 2_048)] {
      memory.sheet.publish(FixedText(text))
      #expect(reader.sheet.read().map { String($0) } == text)
    }
    #expect(reader.artwork.version == memory.artwork.version && reader.status.read() == .telling)
    let header = PictureHeader(samplePosition: 5, instant: 6, cameraSequence: 7, isKeyframe: true)
    for byte in [1, 2, 3] as [UInt8] {
      guard var buffer = memory.pictures.producer.acquire(maximumByteCount: 100) else { throw NothingThere() }
      for index in 0..<100 { buffer.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
      memory.pictures.producer.commit(header, byteCount: 100)
    }
    var copy = [UInt8](repeating: 0, count: 200)
    var span = copy.mutableSpan
    var buffer = unsafe span.mutableBytes
    guard case .packet(let packet) = reader.pictures.copyNewest(into: &buffer) else {
      Issue.record("no picture")
      return
    }
    #expect(packet.header == header && packet.sequence == 2 && packet.byteCount == 100)
    #expect(copy == [UInt8](repeating: 3, count: 100) + [UInt8](repeating: 0, count: 100))
    try checkSound(&memory.samples.producer, reader.samples)
  }

  /// The microphone's sound can be read, in the card's format.
  private func checkSound(_ producer: inout SampleRingProducer, _ samples: SampleFollower) throws {
    let format = AudioFormat(sampleRateHz: 44_100, channelCount: 1, sampleFormat: .int16)
    var samples = samples
    #expect(samples.audioFormat == nil)
    producer.setFormat(format)
    samples.skipToEnd()
    #expect(samples.audioFormat == format)
    var room = producer.acquire(maximumFrames: 3)
    for index in 0..<6 { room.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self) }
    producer.commit(frameCount: 3)
    var copy = [UInt8](repeating: 9, count: 8)
    var span = copy.mutableSpan
    var buffer = unsafe span.mutableBytes
    let reading = samples.read(into: &buffer)
    #expect(reading == .frames(count: 3))
    #expect(copy == [0, 1, 2, 3, 4, 5, 9, 9])
  }

  @Test("The layout's size is exactly what is cut, and the memory starts with the layout")
  func isExact() throws {
    for byteCount in [1, 63, 64, 65, 4_097] {
      let layout = ViewLayout(
        capacityPackets: 3, capacityBytes: byteCount, widthPixels: 2, heightPixels: 2, soundBytes: byteCount,
        sharedBytes: 4096)
      #expect(SharedRegion(byteCount: layout.byteCount).holds(layout))
      #expect(!SharedRegion(byteCount: layout.byteCount - 1).holds(layout))
    }
    var used = leakedBootMemory(byteCount: Self.layout.byteCount + 64)
    _ = unsafe used.cut(byteCount: 1)
    let isPlaced = ViewMemory(Self.layout, bytesPerFrame: 2, in: &used) != nil
    #expect(!isPlaced)
  }

  @Test("Memory of another version, of another size or with a different layout word is refused", arguments: 0..<9)
  func refusesOthers(wordIndex: Int) throws {
    let region = SharedRegion(byteCount: Self.layout.byteCount)
    _ = try unwrapped(region.place(Self.layout))
    for word in [0, 1, region.word(at: wordIndex) &+ 1 << 40, .max, 1 << 63] as [UInt64] {
      region.change(word, at: wordIndex) {
        // The picture may have any size up to the limit of 16 bits.
        if !(6...7).contains(wordIndex) || word > UInt64(UInt16.max) { #expect(region.reader == nil, "word \(word)") }
      }
    }
    #expect(region.reader != nil)
    #expect(SharedRegion(byteCount: 32).reader == nil)
    #expect(region.reader(of: Self.layout.byteCount - 64) == nil)
  }

  @Test("Whatever follows the layout, a view reads nothing outside and gets a status that can be shown")
  func survivesAnything() throws {
    var random = SeededGenerator(seed: 11)
    let region = SharedRegion(byteCount: Self.layout.byteCount)
    _ = try unwrapped(region.place(Self.layout))
    var copy = [UInt8](repeating: 0, count: 1_000)
    var statusCount = 0
    for _ in 0..<2_000 {
      region.fill(from: ViewLayout.headByteCount, using: &random)
      let reader = try #require(region.reader)
      var span = copy.mutableSpan
      var buffer = unsafe span.mutableBytes
      _ = reader.pictures.copyNewest(into: &buffer)
      _ = reader.sheet.read()
      guard let status = reader.status.read() else { continue }
      statusCount += 1
      #expect(status.zoomFactor >= 1 && status.zoomFactor <= 1_000)
      #expect(Orientation(rawValue: status.orientation) != nil)
      #expect(status.peakDecibels[0] >= -90 && status.peakDecibels[1] <= 0)
      #expect(status.viewfinder.x >= 0 && status.viewfinder.width <= 1)
    }
    #expect(statusCount > 100)
  }
}
