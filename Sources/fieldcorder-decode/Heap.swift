import CFFmpeg

/// Memory that stays where it is, for what C or another thread points to. Without any the process cannot go on.
enum Heap {
  static func place<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    guard let memory = unsafe av_malloc(MemoryLayout<Value>.stride) else { fatalError() }
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
    guard let memory = unsafe av_mallocz(max(1, count)) else { fatalError() }
    return unsafe memory.bindMemory(to: UInt8.self, capacity: count)
  }

  static func removeBytes(_ pointer: UnsafeMutablePointer<UInt8>) { unsafe av_free(pointer) }
}
