import Base

/// The memory of the camera's buffers, by index. The loop fills in the list when it opens the camera, and the workers
/// look buffers up in it. The last entry is a JPEG that replaces the camera's pictures while it is lost.
///
/// A handle: copies refer to the same list.
@safe package struct CameraBuffers {
  // Safe: the list is in boot memory, which outlives every thread. The loop writes it only while no picture is on its
  // way to the encoder, and the queue that carries the next picture publishes it. A buffer stays mapped until the
  // encoder has returned all of them; the camera writes into a buffer only while the camera holds it. The stand-in is
  // written at boot.
  private let buffers: UnsafeMutableBufferPointer<Buffer>
  // Safe: as for the list.
  private let otherFormat: UnsafeMutablePointer<VideoFormat?>

  @safe private struct Buffer {
    var memory: UnsafeRawBufferPointer
    /// The file descriptor through which another device reads the memory; nil if the camera does not share it.
    var descriptor: Int32?
    /// Whether the camera never fills this buffer.
    var isSpare = false
  }

  /// The largest number of buffers in the list.
  package static var maximumCount: Int { 8 }

  /// The index of the stand-in, which is not one of the camera's buffers.
  package static var standInIndex: Int { maximumCount }

  /// How many stand-ins may be on their way to the encoder at the same time: as many as one tick passes on.
  package static var standInCount: Int { 4 }

  /// An empty list.
  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: (Self.maximumCount + 1) * MemoryLayout<Buffer>.stride),
      let otherFormat = unsafe memory.place(VideoFormat?.none)
    else { return nil }
    unsafe self.otherFormat = otherFormat
    unsafe buffers = piece.bindMemory(to: Buffer.self)
    unsafe buffers.initialize(repeating: Self.none)
  }

  private static var none: Buffer {
    unsafe Buffer(memory: UnsafeRawBufferPointer(start: nil, count: 0), descriptor: nil)
  }

  /// Removes the camera's buffers from the list. Call only while none of its pictures is on its way to the encoder.
  package func removeAll() {
    for index in 0..<Self.maximumCount { unsafe buffers[index] = Self.none }
  }

  /// Sets the JPEG that replaces the camera's pictures. Called at boot.
  package func setStandIn(_ jpeg: UnsafeRawBufferPointer) {
    unsafe buffers[Self.standInIndex] = unsafe Buffer(memory: jpeg, descriptor: nil)
  }

  /// The size of the stand-in; 0 if there is none.
  package var standInByteCount: Int { unsafe buffers[Self.standInIndex].memory.count }

  /// The format of the pictures in the camera's buffers if it differs from the one that memory was planned for, after
  /// the camera came back with another. Set it only while none of its pictures is on its way to the encoder.
  package var format: VideoFormat? {
    get { unsafe otherFormat.pointee }
    nonmutating set { unsafe otherFormat.pointee = newValue }
  }

  /// - Parameters:
  ///   - index: 0 to 7.
  ///   - memory: stays mapped until every picture in it has been returned.
  ///   - descriptor: the descriptor through which another device reads the memory, valid for as long; nil if the camera
  ///     does not share it.
  ///   - isSpare: whether the camera never fills the buffer, so that its memory may be written.
  package func set(_ index: Int, to memory: UnsafeRawBufferPointer, descriptor: Int32? = nil, isSpare: Bool = false) {
    unsafe buffers[index] = unsafe Buffer(memory: memory, descriptor: descriptor, isSpare: isSpare)
  }

  /// One bit for each buffer that the camera never fills.
  package var spares: UInt8 {
    var spares: UInt8 = 0
    for index in 0..<Self.maximumCount where unsafe buffers[index].isSpare { spares |= 1 << UInt8(index) }
    return spares
  }

  /// Calls `write` with the memory of a spare buffer.
  package func withSpare<Result>(_ index: Int, _ write: (inout MutableRawSpan) -> Result) -> Result {
    precondition(spares & 1 << UInt8(index) != 0, "a buffer written to that the camera fills")
    // Safe: only the encoder's thread writes to a spare buffer, and only while no device reads it.
    var buffer = unsafe MutableRawSpan(_unsafeBytes: UnsafeMutableRawBufferPointer(mutating: buffers[index].memory))
    return write(&buffer)
  }

  /// The file descriptor through which another device reads a buffer; nil if the camera does not share it.
  package func descriptor(_ index: Int) -> Int32? {
    index >= 0 && index < Self.maximumCount ? unsafe buffers[index].descriptor : nil
  }

  /// The size of a buffer; nil if there is no such buffer.
  package func byteCount(_ index: Int) -> Int? {
    index >= 0 && index < Self.maximumCount ? unsafe buffers[index].memory.count : nil
  }

  /// The first `byteCount` bytes of a buffer or of the stand-in; nil if it is smaller or does not exist.
  package subscript(index: Int, byteCount byteCount: Int) -> RawSpan? {
    @_lifetime(borrow self)
    get {
      guard index >= 0, index <= Self.standInIndex, byteCount >= 0 else { return nil }
      let buffer = unsafe buffers[index].memory
      guard byteCount <= buffer.count else { return nil }
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<byteCount]))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
