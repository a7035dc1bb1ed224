import Rings

/// Where the camera's buffers lie, by index: the loop lists them when it opens the camera, the encoder looks them up.
///
/// A handle: copies are the same list.
@safe public struct CameraBuffers {
  // Sound: the list lies in boot memory, which outlives every thread. The loop writes it only while no picture is on
  // its way to the encoder, and the queue that the next picture travels through publishes it. A buffer stays mapped
  // until the encoder has given all of them back; the camera writes into one only while it holds it.
  private let buffers: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>

  /// The most buffers that can be listed.
  public static var maximumCount: Int { 8 }

  /// What the list takes of boot memory.
  public static var byteCount: Int {
    unsafe BootMemory.footprint(byteCount: maximumCount * MemoryLayout<UnsafeRawBufferPointer>.stride)
  }

  /// A list of buffers without bytes.
  /// - Returns: nil when `memory` has not ``byteCount`` left.
  public init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.byteCount) else { return nil }
    unsafe buffers = piece.bindMemory(to: UnsafeRawBufferPointer.self)
    unsafe buffers.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// - Parameters:
  ///   - index: 0 to 7.
  ///   - memory: stays mapped until every picture in it has been given back.
  public func set(_ index: Int, to memory: UnsafeRawBufferPointer) {
    unsafe buffers[index] = memory
  }

  /// The first `byteCount` bytes of a buffer; nil when the buffer has not that many, or there is no such buffer.
  public subscript(index: Int, byteCount byteCount: Int) -> RawSpan? {
    @_lifetime(borrow self)
    get {
      guard index >= 0, index < Self.maximumCount, byteCount >= 0 else { return nil }
      let buffer = unsafe buffers[index]
      guard byteCount <= buffer.count else { return nil }
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<byteCount]))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
