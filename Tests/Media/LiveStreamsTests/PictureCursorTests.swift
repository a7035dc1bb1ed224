import Base
import TestSupport
import Testing
import Wire

@Suite struct PictureCursorTests {
  private typealias Ring = PacketRing<PictureHeader>

  private static func ring() throws -> Ring {
    var memory = leakedBootMemory()
    return try unwrapped(Ring(capacityPackets: 4, capacityBytes: 4_000, in: &memory))
  }

  /// Writes a picture filled with its number.
  private static func write(_ number: UInt8, byteCount: Int, to ring: inout Ring) throws {
    guard var room = ring.producer.acquire(maximumByteCount: byteCount) else { throw NothingThere() }
    for index in 0..<byteCount { room.storeBytes(of: number, toByteOffset: index, as: UInt8.self) }
    ring.producer.commit(PictureHeader(samplePosition: 0, instant: 0, cameraSequence: 0), byteCount: byteCount)
  }

  /// What a listener is sent until there is nothing new, `count` bytes at a time.
  private static func hear(
    _ cursor: inout PictureCursor, _ ring: borrowing Ring, atMost count: Int
  ) -> (bytes: [UInt8], last: StreamReading) {
    var heard: [UInt8] = []
    while true {
      var buffer = [UInt8](repeating: 0, count: count)
      var span = buffer.mutableSpan
      var room = unsafe span.mutableBytes
      let reading = cursor.read(ring.tap, into: &room)
      guard case .bytes(let count) = reading else { return (heard, reading) }
      heard += buffer.prefix(count)
    }
  }

  private static func part(_ number: UInt8, byteCount: Int) -> [UInt8] {
    Array("--picture\r\nContent-Type: image/jpeg\r\nContent-Length: \(byteCount)\r\n\r\n".utf8)
      + [UInt8](repeating: number, count: byteCount) + Array("\r\n".utf8)
  }

  @Test("Each picture is a whole part, however little is taken at once; the newest comes next, the others are left out")
  func isMultipart() throws {
    var ring = try Self.ring()
    var cursor = PictureCursor(.multipart)
    #expect(Self.hear(&cursor, ring, atMost: 100).last == .nothing)
    try Self.write(1, byteCount: 700, to: &ring)
    for count in [1, 7, 4_096] {
      var other = cursor
      #expect(Self.hear(&other, ring, atMost: count).bytes == Self.part(1, byteCount: 700))
    }
    _ = Self.hear(&cursor, ring, atMost: 1_000)
    #expect(!cursor.hasEvents(of: ring.tap))
    for number in [2, 3, 4] as [UInt8] {
      if number == 4 { ring.consumer.release(before: 1) }
      try Self.write(number, byteCount: 500, to: &ring)
    }
    #expect(cursor.hasEvents(of: ring.tap))
    #expect(Self.hear(&cursor, ring, atMost: 64).bytes == Self.part(4, byteCount: 500))
    #expect(cursor.skippedCount == 2)
  }

  @Test("A still is one picture and then the end")
  func isSingle() throws {
    var ring = try Self.ring()
    try Self.write(1, byteCount: 300, to: &ring)
    var cursor = PictureCursor(.single)
    #expect(cursor.begin(ring.tap) == 300)
    try Self.write(2, byteCount: 300, to: &ring)
    let (bytes, last) = Self.hear(&cursor, ring, atMost: 100)
    #expect(bytes == [UInt8](repeating: 1, count: 300) && last == .end)
  }

  @Test("One that is so slow that its picture has been overwritten gets no part of another")
  func isTooSlow() throws {
    var ring = try Self.ring()
    try Self.write(1, byteCount: 1_500, to: &ring)
    var cursor = PictureCursor(.single)
    _ = cursor.begin(ring.tap)
    var buffer = [UInt8](repeating: 0, count: 100)
    var span = buffer.mutableSpan
    var room = unsafe span.mutableBytes
    #expect(cursor.read(ring.tap, into: &room) == .bytes(100))
    try Self.write(2, byteCount: 1_500, to: &ring)
    ring.consumer.release(before: 1)
    #expect(cursor.read(ring.tap, into: &room) == .tooSlow)
  }
}
