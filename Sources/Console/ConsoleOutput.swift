import Base
import Machine

/// A FIFO of bytes in a ring buffer. Pieces go in whole or not at all, so that a slow line never shows half of one.
@safe struct OutputBuffer: ~Copyable {
  // Safe: boot memory stays mapped for the life of the process, and only this value, which is not copyable, uses this
  // part of it.
  private let ring: UnsafeMutableRawBufferPointer
  private var start = 0
  private var count = 0

  /// - Returns: nil if `memory` has too little left.
  init?(byteCount: Int, in memory: inout BootMemory) {
    guard let ring = unsafe memory.cut(byteCount: byteCount) else { return nil }
    unsafe self.ring = ring
  }

  private var capacityByteCount: Int { unsafe ring.count }

  var freeByteCount: Int { capacityByteCount - count }

  var isEmpty: Bool { count == 0 }

  var level: RingLevel { RingLevel(itemCount: count, capacity: capacityByteCount, byteCount: capacityByteCount) }

  /// Appends `bytes` if at least `reserve` bytes are free afterwards.
  /// - Returns: whether it did.
  @discardableResult mutating func append(_ bytes: Span<UInt8>, keepingFree reserve: Int) -> Bool {
    guard freeByteCount >= bytes.count + reserve else { return false }
    for index in bytes.indices {
      unsafe ring[(start + count + index) % ring.count] = bytes[index]
    }
    count += bytes.count
    return true
  }

  /// Appends as much of `bytes` as leaves at least `reserve` bytes free.
  /// - Returns: the number of bytes appended.
  mutating func appendPart(of bytes: Span<UInt8>, keepingFree reserve: Int) -> Int {
    let count = min(bytes.count, max(freeByteCount - reserve, 0))
    append(bytes.extracting(first: count), keepingFree: 0)
    return count
  }

  /// Appends `text` if it fits.
  mutating func append(_ text: StaticString) {
    append(text.utf8Bytes, keepingFree: 0)
  }

  /// The first line, of at most 512 bytes, without its line end; nil if there is none.
  var firstLine: FixedText<512>? {
    guard !isEmpty else { return nil }
    var line = FixedText<512>()
    for index in 0..<count {
      let byte = unsafe ring[(start + index) % ring.count]
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte: byte)
    }
    return line
  }

  /// Removes the first `byteCount` bytes.
  mutating func removeFirst(_ byteCount: Int) {
    start = (start + byteCount) % capacityByteCount
    count -= byteCount
  }

  /// Removes the last `byteCount` bytes, or all if there are fewer.
  mutating func removeLast(_ byteCount: Int) { count -= min(byteCount, count) }

  /// Writes as much to `line` as it accepts now, at most `limit` bytes.
  mutating func drain(to line: inout some ConsoleLineDriver & ~Copyable, atMost limit: Int = .max) {
    var limit = limit
    // The ring's bytes are in at most two pieces.
    for _ in 0..<2 where min(count, limit) > 0 {
      let byteCount = min(min(count, limit), capacityByteCount - start)
      let written = unsafe line.write(
        RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: ring[start..<start + byteCount])))
      removeFirst(written)
      limit -= written
      if written < byteCount { return }
    }
  }
}

/// Output that goes out whole: the longest line of a reply, and the prompt's row with the typed text.
typealias OutputPiece = FixedText<4096>

extension OutputPiece {
  /// The longest line, which leaves space for the prompt's row after it.
  static let longestLineByteCount = 3000

  /// Appends a line without anything that a terminal interprets or that looks like another line, since the names and
  /// tags of files come from elsewhere. Control characters and invalid UTF-8 become `?`, and a line that is too long is
  /// cut.
  mutating func append(line: Span<UInt8>) {
    var end = min(line.count, Self.longestLineByteCount)
    while end > 0, end < line.count, line[end].isUTF8Continuation { end -= 1 }
    var utf8 = UTF8Decoder()
    var scalarByteCount = 0
    for index in 0..<end {
      let byte = line[index]
      if utf8.isInsideCharacter, !byte.isUTF8Continuation {
        append("?")
        scalarByteCount = 0
      }
      scalarByteCount += 1
      guard let scalar = utf8.next(byte) else { continue }
      // A replacement must not take more space than the bytes it replaces.
      let isReplacement = scalar == UTF8Decoder.replacement && scalarByteCount < 3
      if isReplacement || scalar.isObeyed && scalar != "\t" { append("?") } else { append(scalar: scalar) }
      scalarByteCount = 0
    }
    if utf8.isInsideCharacter { append("?") }
    append("\n")
  }
}

/// Tracks when the console's line was last too slow for the output.
struct LineWatch {
  /// A line of 9600 baud takes a byte a millisecond: one that accepts nothing for this long is stuck.
  private static var patienceNanoseconds: UInt64 { 1_000_000_000 }

  private var stuckSince: Instant?
  private var lastTrouble: Instant?

  /// - Parameter isStuck: whether there was output, and the line accepted none of it.
  mutating func follow(isStuck: Bool, at now: Instant) {
    guard isStuck else { return stuckSince = nil }
    let start = stuckSince ?? now
    stuckSince = start
    if now.distance(since: start) >= Self.patienceNanoseconds { lastTrouble = now }
  }

  /// Notes that events were dropped.
  mutating func noteLoss(at now: Instant) { lastTrouble = now }

  func wasSlow(within nanoseconds: UInt64, at now: Instant) -> Bool {
    lastTrouble.map { now.distance(since: $0) < nanoseconds } ?? false
  }
}
