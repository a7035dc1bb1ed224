import CDeviceArena
import Synchronization
import TestSupport

/// A separate arena for one test.
@safe final class TestArena: @unchecked Sendable {
  private let arena: UnsafeMutablePointer<fixed_arena>
  private let memory: UnsafeMutableRawPointer
  private let damagedPieces = Atomic(0)

  init(capacity: Int) {
    unsafe memory = .allocate(byteCount: capacity, alignment: 64)
    unsafe arena = .allocate(capacity: 1)
    unsafe fixed_arena_reset(arena, memory, capacity)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe arena.deallocate()
  }

  var usedByteCount: Int { unsafe fixed_arena_used_byte_count(arena) }
  var peakByteCount: Int { unsafe fixed_arena_peak_byte_count(arena) }
  /// Pieces whose content had changed during ``churn(seed:)``.
  var damagedPieceCount: Int { damagedPieces.load(ordering: .relaxed) }

  func allocate(_ byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer? {
    unsafe fixed_arena_allocate(arena, byteCount, alignment)
  }

  func resize(_ piece: ArenaPiece, _ byteCount: Int) -> Bool {
    unsafe fixed_arena_resize(arena, piece.memory, byteCount) != 0
  }

  func free(_ piece: ArenaPiece) { unsafe fixed_arena_free(arena, piece.memory) }

  /// Allocates and frees in random order, and checks every piece before it is freed.
  func churn(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pieces: [ArenaPiece] = []
    for _ in 0..<20_000 {
      if pieces.count < 20, let memory = unsafe allocate(Int.random(in: 0...100, using: &generator), alignment: 16) {
        pieces.append(unsafe ArenaPiece(memory, byteCount: 16, using: &generator))
      } else {
        giveBack(pieces.remove(at: Int.random(in: 0..<pieces.count, using: &generator)))
      }
    }
    for piece in pieces { giveBack(piece) }
  }

  private func giveBack(_ piece: ArenaPiece) {
    if !piece.isIntact() { damagedPieces.add(1, ordering: .relaxed) }
    free(piece)
  }
}

/// An allocated piece and the bytes that were written into it.
@safe struct ArenaPiece {
  // Safe: the test that allocated it frees it once.
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

  /// Whether it still holds what was written, or at least the first `byteCount` bytes of it.
  func isIntact(first byteCount: Int = .max) -> Bool {
    let expected = bytes.prefix(byteCount)
    return unsafe Array(UnsafeRawBufferPointer(start: memory, count: expected.count)) == Array(expected)
  }
}
