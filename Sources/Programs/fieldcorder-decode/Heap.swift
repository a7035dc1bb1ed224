import CFFmpeg

/// Memory at fixed addresses, for what C or another thread points to.
enum Heap {
  /// Unwraps the result of an allocation.
  static func required<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { exhausted() }
    return pointer
  }

  /// The process has reached its memory limit and ends here. To the recorder that is a crash like any other: it refuses
  /// the file and starts another process.
  static func exhausted() -> Never { fatalError("no memory is left to this process") }

  static func place<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let memory = unsafe required(av_malloc(MemoryLayout<Value>.stride))
    let pointer = unsafe memory.bindMemory(to: Value.self, capacity: 1)
    unsafe pointer.initialize(to: value)
    return unsafe pointer
  }

  static func remove<Value: ~Copyable>(_ pointer: UnsafeMutablePointer<Value>) {
    unsafe pointer.deinitialize(count: 1)
    unsafe av_free(pointer)
  }

  /// Zeroed.
  static func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let memory = unsafe required(av_mallocz(max(1, count)))
    return unsafe memory.bindMemory(to: UInt8.self, capacity: count)
  }

  static func removeBytes(_ pointer: UnsafeMutablePointer<UInt8>) { unsafe av_free(pointer) }

  /// Zeroed.
  static func array<Element: ~Copyable>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
    let block = unsafe Heap.bytes(count * MemoryLayout<Element>.stride)
    return unsafe UnsafeMutableRawPointer(block).bindMemory(to: type, capacity: max(1, count))
  }

  static func packet() -> UnsafeMutablePointer<AVPacket> { unsafe required(av_packet_alloc()) }

  static func removePacket(_ packet: UnsafeMutablePointer<AVPacket>) {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }
}
