import CFFmpeg

/// Memory that stays where it is, for what C or another thread points to.
enum Heap {
  /// What an allocation gave.
  static func required<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { exhausted() }
    return pointer
  }

  /// The process has reached its limit: it ends here, and not at what it would do next without memory. To the recorder
  /// that is a fall like any other, which refuses the file and starts another process.
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
}
