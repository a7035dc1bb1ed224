/// A piece of boot memory with one owner: room to build a header in, or bytes on their way.
@safe public struct FixedBuffer: ~Copyable {
  // Sound: a piece of boot memory that nobody else was given.
  private let memory: UnsafeMutableRawBufferPointer

  /// - Returns: nil when `boot` has not `byteCount` bytes left.
  public init?(byteCount: Int, in boot: inout BootMemory) {
    guard let piece = unsafe boot.cut(byteCount: byteCount) else { return nil }
    unsafe memory = piece
  }

  /// Its size, which never changes.
  public var byteCount: Int { unsafe memory.count }

  /// All of it, to read.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// All of it, to write.
  public var mutableBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      let span = unsafe MutableRawSpan(_unsafeBytes: memory)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }
}
