import Base

@testable import Media

/// A file in memory, one of whose reads returns a wrong byte.
struct MisreadFile: MediaFile, ~Copyable {
  typealias Failure = Never

  private(set) var base: MemoryFile
  private(set) var readCount = 0
  let wrongRead: Int

  /// - Parameter wrongRead: the number of that read, from 1.
  init(content: [UInt8], wrongRead: Int) {
    base = MemoryFile(content: content)
    self.wrongRead = wrongRead
  }

  var byteCount: UInt64 { base.byteCount }

  mutating func read(at offset: UInt64, into room: inout MutableRawSpan) -> Int {
    readCount += 1
    let byteCount = base.read(at: offset, into: &room)
    if readCount == wrongRead, byteCount > 0 {
      let position = min(byteCount - 1, 6)
      room.storeBytes(of: ~room.bytes.byte(at: position), toByteOffset: position, as: UInt8.self)
    }
    return byteCount
  }

  mutating func write(_ bytes: RawSpan, at offset: UInt64) { base.write(bytes, at: offset) }

  mutating func synchronise() { base.synchronise() }

  mutating func truncate(to byteCount: UInt64) { base.truncate(to: byteCount) }
}
