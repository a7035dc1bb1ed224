import TestSupport

/// A piece that was asked for, and what was written into it.
@safe struct ArenaPiece {
  // Sound: the test that asked for it gives it back once.
  let memory: UnsafeMutableRawPointer
  private var bytes: [UInt8] = []

  init(_ memory: UnsafeMutableRawPointer, byteCount: Int, using generator: inout SeededGenerator) {
    unsafe self.memory = memory
    fill(byteCount: byteCount, using: &generator)
  }

  mutating func fill(byteCount: Int, using generator: inout SeededGenerator) {
    bytes = [UInt8](repeating: UInt8.random(in: .min ... .max, using: &generator), count: byteCount)
    unsafe memory.copyMemory(from: bytes, byteCount: byteCount)
  }

  /// Whether it still holds what was written, or the first so many bytes of it.
  func isIntact(first byteCount: Int = .max) -> Bool {
    let expected = bytes.prefix(byteCount)
    return unsafe Array(UnsafeRawBufferPointer(start: memory, count: expected.count)) == Array(expected)
  }
}
