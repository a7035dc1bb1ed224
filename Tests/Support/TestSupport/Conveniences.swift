import Base
import Foundation

/// Boot memory for one test. It is never freed, because pieces of it may be kept forever.
package func leakedBootMemory(byteCount: Int) -> BootMemory {
  // Safe: never freed, and handed out only once.
  unsafe BootMemory(region: UnsafeMutableRawBufferPointer(start: zeroedPages(byteCount), count: byteCount))
}

/// Boot memory for one test, of any size. It is never freed either.
package func leakedBootMemory() -> BootMemory {
  // Safe: never freed, and handed out only once.
  unsafe BootMemory(source: zeroedPages)
}

/// Zeroed pages take memory only once they are written, so most of what thousands of tests leak costs nothing.
private func zeroedPages(_ byteCount: Int) -> UnsafeMutableRawPointer? {
  let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  return unsafe pages == MAP_FAILED ? nil : pages
}

/// Bytes of boot memory that `make` cuts.
package func bootMemoryByteCount(_ make: (inout BootMemory) throws -> Void) rethrows -> Int {
  var memory = leakedBootMemory()
  try make(&memory)
  return memory.usedByteCount
}

/// What ``unwrapped(_:)`` throws.
package struct NothingThere: Error {
  /// An error without details.
  package init() {}
}

/// A replacement for `#require` with noncopyable values, which it does not accept.
package func unwrapped<Value: ~Copyable>(_ value: consuming Value?) throws -> Value {
  guard let value else { throw NothingThere() }
  return value
}

/// The tests' random numbers: the same for the same seed, on every machine.
package typealias SeededGenerator = SplitMix64

extension String {
  /// The text as a standard library string; invalid UTF-8 becomes U+FFFD.
  package init<let capacity: Int>(_ text: FixedText<capacity>) {
    var bytes: [UInt8] = []
    for index in text.bytes.indices { bytes.append(text.bytes[index]) }
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension FixedText: CustomStringConvertible {
  /// Allows comparison with a literal, and makes failures readable.
  package var description: String { String(self) }
}

extension FixedText {
  /// As many whole characters as fit.
  package init(_ string: String) {
    self.init(Array(string.utf8).span)
  }
}
