import Base

/// The bytes that draw one picture on a terminal, in a fixed-size buffer. If it is too small, the bytes are useless.
@safe package struct DrawingText: ~Copyable {
  // Safe: a piece of boot memory, written only here, and never while it is read, as ``DrawingPage`` explains.
  private let space: UnsafeMutableRawBufferPointer
  /// Bytes appended.
  package private(set) var byteCount = 0
  /// Whether something did not fit.
  package private(set) var isOverfull = false

  /// Creates an empty text.
  /// - Returns: nil if fewer than `byteCount` bytes of `memory` are left.
  package init?(byteCount: Int, in memory: inout BootMemory) {
    guard let space = unsafe memory.cut(byteCount: byteCount) else { return nil }
    unsafe self.space = space
  }

  /// The reading end, for the thread that sends the bytes.
  package var page: DrawingPage { unsafe DrawingPage(UnsafeRawBufferPointer(space)) }

  mutating func removeAll() {
    byteCount = 0
    isOverfull = false
  }

  mutating func append(_ byte: UInt8) {
    guard unsafe byteCount < space.count else {
      isOverfull = true
      return
    }
    unsafe space[byteCount] = byte
    byteCount += 1
  }

  mutating func append(_ text: StaticString) {
    let bytes = text.utf8Bytes
    for index in bytes.indices { append(bytes[index]) }
  }

  mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

/// The reading end of a ``DrawingText``, for the thread that sends the drawing.
///
/// The threads alternate: one draws between request and answer, the other reads between the answer and the next
/// request.
@safe package struct DrawingPage: BitwiseCopyable {
  // Safe: boot memory outlives every thread, and the queues between the two order their accesses.
  private let memory: UnsafeRawBufferPointer

  init(_ memory: UnsafeRawBufferPointer) { unsafe self.memory = memory }

  /// The drawing, or part of it.
  /// - Parameter range: within the answer's byte count.
  @_lifetime(borrow self)
  package func bytes(_ range: Range<Int>) -> Span<UInt8> {
    let piece = unsafe memory.bindMemory(to: UInt8.self).extracting(range)
    let span = unsafe Span(_unsafeElements: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}
