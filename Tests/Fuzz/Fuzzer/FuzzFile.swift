import Base
import Machine

/// A file in memory.
struct FuzzFile: MediaFile, ~Copyable {
  var bytes: [UInt8]

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

  var byteCount: UInt64 { UInt64(bytes.count) }

  mutating func read(at offset: UInt64, into space: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    guard offset < byteCount else { return 0 }
    let count = min(space.byteCount, bytes.count - Int(offset))
    space.withUnsafeMutableBytes { space in
      bytes.withUnsafeBytes {
        space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)...].prefix(count)))
      }
    }
    return count
  }

  /// Traps if a small file grows to 16 MiB, to which no table in it could extend it.
  mutating func write(_ piece: RawSpan, at offset: UInt64) throws(DeviceFailure) {
    let end = Int(offset) + piece.byteCount
    precondition(end < 1 << 24, "a file of some kilobytes grows to 16 MiB")
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    piece.withUnsafeBytes { piece in
      bytes.withUnsafeMutableBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: bytes[Int(offset)..<end]).copyMemory(from: piece)
      }
    }
  }

  mutating func synchronise() throws(DeviceFailure) {}

  mutating func truncate(to byteCount: UInt64) throws(DeviceFailure) {
    if byteCount < self.byteCount { bytes.removeLast(bytes.count - Int(byteCount)) }
  }
}

/// Memory that every input finds in the same state.
final class FuzzMemory {
  private let region: UnsafeMutableRawBufferPointer

  init(byteCount: Int) { region = .allocate(byteCount: byteCount, alignment: 4096) }

  var fresh: BootMemory {
    region.initializeMemory(as: UInt8.self, repeating: 0)
    return BootMemory(region: region)
  }
}

/// Lends scratch memory for parsers' output.
func withScratch(_ body: (inout MutableRawSpan) -> Void) {
  withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { memory in
    var scratch = MutableRawSpan(_unsafeBytes: memory)
    body(&scratch)
  }
}
