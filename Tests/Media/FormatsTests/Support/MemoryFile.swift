import Base

/// A file in memory that records all operations on it.
struct MemoryFile: MediaFile, ~Copyable {
  typealias Failure = Never

  private(set) var content: [UInt8]
  private(set) var operations: [FileOperation] = []

  init(content: [UInt8] = []) { self.content = content }

  var byteCount: UInt64 { UInt64(content.count) }

  mutating func read(at offset: UInt64, into room: inout MutableRawSpan) -> Int {
    let start = min(Int(offset), content.count)
    let end = min(start + room.byteCount, content.count)
    unsafe room.withUnsafeMutableBytes { target in
      unsafe content.withUnsafeBytes {
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<end]))
      }
    }
    return end - start
  }

  mutating func write(_ bytes: RawSpan, at offset: UInt64) {
    perform(.write(offset: Int(offset), bytes: array(bytes)))
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) { perform(.write(offset: offset, bytes: bytes)) }

  mutating func synchronise() { perform(.synchronise) }

  mutating func truncate(to byteCount: UInt64) { perform(.truncate(byteCount: Int(byteCount))) }

  private mutating func perform(_ operation: FileOperation) {
    operation.apply(to: &content)
    operations.append(operation)
  }
}
