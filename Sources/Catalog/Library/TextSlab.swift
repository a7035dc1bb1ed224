import Base

/// Texts of different lengths, stored contiguously in one block of memory. Replaced or removed texts leave a hole; when
/// the end is reached, the block is compacted.
@safe struct TextSlab: ~Copyable {
  /// The slot that the texts belong to, 4 bytes, and their length, 2 bytes.
  static var headerByteCount: Int { 6 }

  // Safe: a block of boot memory with no other owner; every offset below is checked against its bounds.
  private let memory: UnsafeMutableRawBufferPointer
  private var endOffset = 0
  private var holeByteCount = 0

  init?(byteCount: Int, in boot: inout BootMemory) {
    guard let memory = unsafe boot.cut(byteCount: byteCount) else { return nil }
    unsafe self.memory = memory
  }

  /// Whether texts of this size fit, if need be after ``compact(_:)``.
  func hasSpace(byteCount: Int) -> Bool {
    unsafe memory.count - endOffset + holeByteCount >= byteCount + Self.headerByteCount
  }

  /// Whether they fit without compaction.
  func hasSpaceAtEnd(byteCount: Int) -> Bool {
    unsafe memory.count - endOffset >= byteCount + Self.headerByteCount
  }

  /// Appends a file's texts. Requires ``hasSpaceAtEnd(byteCount:)``.
  /// - Returns: their offset.
  mutating func append(slot: UInt32, _ path: Span<UInt8>, _ title: Span<UInt8>, _ artist: Span<UInt8>) -> UInt32 {
    let byteCount = path.count + title.count + artist.count
    precondition(hasSpaceAtEnd(byteCount: byteCount), "no space at the end of the texts")
    let start = endOffset
    unsafe memory.storeBytes(of: slot, toByteOffset: start, as: UInt32.self)
    unsafe memory.storeBytes(of: UInt16(byteCount), toByteOffset: start + 4, as: UInt16.self)
    endOffset += Self.headerByteCount
    put(path)
    put(title)
    put(artist)
    return UInt32(start)
  }

  private mutating func put(_ text: Span<UInt8>) {
    for index in text.indices { unsafe memory[endOffset + index] = text[index] }
    endOffset += text.count
  }

  /// Removes the texts at `offset`, leaving a hole.
  mutating func remove(at offset: UInt32) {
    holeByteCount += Self.headerByteCount + textByteCount(at: Int(offset))
  }

  /// Closes all holes.
  /// - Parameter move: receives each block's slot and its old and new offset; returns false for a hole.
  mutating func compact(_ move: (_ slot: UInt32, _ from: UInt32, _ to: UInt32) -> Bool) {
    var source = 0
    var target = 0
    while source < endOffset {
      let slot = unsafe memory.loadUnaligned(fromByteOffset: source, as: UInt32.self)
      let byteCount = Self.headerByteCount + textByteCount(at: source)
      if move(slot, UInt32(source), UInt32(target)) {
        let block = unsafe UnsafeRawBufferPointer(rebasing: memory[source..<source + byteCount])
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[target..<target + byteCount]).copyMemory(from: block)
        target += byteCount
      }
      source += byteCount
    }
    endOffset = target
    holeByteCount = 0
  }

  /// Part of the texts at `offset`.
  @_lifetime(borrow self)
  func text(at offset: UInt32, from start: Int, byteCount: Int) -> Span<UInt8> {
    let first = Int(offset) + Self.headerByteCount + start
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[first..<first + byteCount]).bindMemory(to: UInt8.self)
    let span = unsafe Span(_unsafeElements: bytes)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  private func textByteCount(at offset: Int) -> Int {
    unsafe Int(memory.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self))
  }
}
