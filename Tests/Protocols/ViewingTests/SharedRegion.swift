import Base
import TestSupport

@testable import Wire

/// Memory shared by a recorder and a view.
@safe final class SharedRegion {
  private let memory: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4_096)
    fill(0)
  }

  var base: UnsafeRawPointer { unsafe UnsafeRawPointer(memory.baseAddress!) }

  func place(_ layout: ViewLayout) -> ViewMemory? {
    var boot = unsafe BootMemory(region: memory)
    return ViewMemory(layout, bytesPerFrame: 2, in: &boot)
  }

  func holds(_ layout: ViewLayout) -> Bool { place(layout) != nil }

  var reader: ViewReader? { unsafe ViewReader(UnsafeRawBufferPointer(memory)) }

  func reader(of byteCount: Int) -> ViewReader? {
    unsafe ViewReader(UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
  }

  func word(at index: Int) -> UInt64 { unsafe memory.load(fromByteOffset: index * 8, as: UInt64.self) }

  /// Changes a word while `body` runs.
  func change(_ word: UInt64, at index: Int, while body: () -> Void) {
    let before = self.word(at: index)
    unsafe memory.storeBytes(of: word, toByteOffset: index * 8, as: UInt64.self)
    body()
    unsafe memory.storeBytes(of: before, toByteOffset: index * 8, as: UInt64.self)
  }

  func fill(_ byte: UInt8) { unsafe memory.initializeMemory(as: UInt8.self, repeating: byte) }

  /// Random words, many of them small.
  func fill(from start: Int, using random: inout SeededGenerator) {
    let end = unsafe memory.count - 7
    for offset in stride(from: start, to: end, by: 8) {
      let word = random.next() >> (random.next() % 2 == 0 ? 0 : UInt64.random(in: 40...63, using: &random))
      unsafe memory.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
    }
  }

  // Never freed: values placed in it may be kept forever.
}
