/// The memory from which everything of variable size is cut, at boot and never later.
///
/// It is one region, or it grows on demand. Whoever maps and locks the memory keeps it mapped for the life of the
/// process, so pointers to its pieces stay valid.
@safe package struct BootMemory: ~Copyable {
  /// Gives `byteCount` more bytes, zeroed, page-aligned and never unmapped; nil if the machine has too little left.
  package typealias Source = @convention(c) (_ byteCount: Int) -> UnsafeMutableRawPointer?

  /// When the pages of a piece become resident.
  package enum Presence: Sendable {
    case fromNowOn
    /// Each page of a large piece becomes resident at its first use: for pieces that no take waits for.
    case fromFirstUse
  }

  /// Mapped and not yet cut.
  private var rest: UnsafeMutableRawBufferPointer
  private let source: Source?
  private let sparseSource: Source?
  /// Applies to the pieces cut from now on.
  package var presence = Presence.fromNowOn
  /// Bytes cut so far, each piece rounded up to whole cache lines.
  package private(set) var usedByteCount = 0
  /// Bytes that would be used with the first piece that could not be cut; nil while every piece was cut.
  package private(set) var refusedByteCount: Int?

  /// Bytes mapped and not yet cut.
  package var restByteCount: Int { unsafe rest.count }

  /// Memory of a fixed size.
  /// - Parameter region: zeroed, page-aligned, never unmapped.
  package init(region: UnsafeMutableRawBufferPointer) {
    unsafe rest = region
    unsafe source = nil
    unsafe sparseSource = nil
  }

  /// Memory that grows, so that no total has to be calculated in advance.
  /// - Parameter sparseSource: gives large pieces whose pages become resident at first use; nil to use `source`.
  package init(source: Source, sparseSource: Source? = nil) {
    unsafe rest = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    unsafe self.source = unsafe source
    unsafe self.sparseSource = unsafe sparseSource ?? source
  }

  /// Every piece starts on its own cache line, to avoid false sharing between threads.
  package static var alignmentByteCount: Int { 64 }

  /// Small pieces are cut from chunks of this size. A piece of at least a quarter of it gets its own pages, so that at
  /// most a quarter of a chunk stays unused.
  private static var chunkByteCount: Int { 65_536 }

  /// Bytes taken up by a piece of `byteCount` bytes.
  package static func footprint(byteCount: Int) -> Int {
    (byteCount + alignmentByteCount - 1) / alignmentByteCount * alignmentByteCount
  }

  /// Cuts the next piece; nil if too little is left.
  package mutating func cut(byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    let footprint = Self.footprint(byteCount: byteCount)
    precondition(byteCount >= 0, "a piece has no negative size")
    guard let start = unsafe take(footprint) else {
      if refusedByteCount == nil { refusedByteCount = usedByteCount + footprint }
      return nil
    }
    usedByteCount += footprint
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// Cuts space for one value and moves it there, for the life of the process.
  package mutating func place<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value>? {
    guard let piece = unsafe cut(byteCount: MemoryLayout<Value>.stride) else { return nil }
    let pointer = unsafe piece.baseAddress!.bindMemory(to: Value.self, capacity: 1)
    unsafe pointer.initialize(to: value)
    return unsafe pointer
  }

  /// The next `byteCount` bytes, a multiple of the cache line size.
  private mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    if unsafe byteCount > rest.count || rest.baseAddress == nil {
      guard let source = unsafe source, let sparseSource = unsafe sparseSource else { return nil }
      if byteCount >= Self.chunkByteCount / 4 {
        return unsafe presence == .fromNowOn ? source(byteCount) : sparseSource(byteCount)
      }
      guard let chunk = unsafe source(Self.chunkByteCount) else { return nil }
      unsafe rest = UnsafeMutableRawBufferPointer(start: chunk, count: Self.chunkByteCount)
    }
    guard let start = unsafe rest.baseAddress else { return nil }
    unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[byteCount...])
    return unsafe start
  }
}

/// A piece of boot memory with one owner, for example to build a header in.
@safe package struct FixedBuffer: ~Copyable {
  // Safe: a piece of boot memory with no other user.
  private let memory: UnsafeMutableRawBufferPointer

  /// - Returns: nil if `boot` has fewer than `byteCount` bytes left.
  package init?(byteCount: Int, in boot: inout BootMemory) {
    guard let piece = unsafe boot.cut(byteCount: byteCount) else { return nil }
    unsafe memory = piece
  }

  /// The size, which never changes.
  package var byteCount: Int { unsafe memory.count }

  /// All bytes, for reading.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The first `byteCount` bytes, as text.
  @_lifetime(borrow self)
  package func text(_ byteCount: Int) -> Span<UInt8> {
    // Safe: every bit pattern is a valid byte.
    unsafe bytes.extracting(first: byteCount)._unsafeView(as: UInt8.self)
  }

  /// All bytes, for writing.
  package var mutableBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      let span = unsafe MutableRawSpan(_unsafeBytes: memory)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }
}
