import Posix

/// Owns the place of a ``FileInput``.
@safe struct InputPlace: ~Copyable {
  // Sound: the value's own until it ends.
  let pointer: UnsafeMutablePointer<FileInput>

  init(_ descriptor: consuming FileDescriptor) { unsafe pointer = Heap.place(FileInput(descriptor)) }

  deinit { unsafe Heap.remove(pointer) }

  /// From now on nothing is read after so long; nil: there is no hurry.
  func setDeadline(nanosecondsFromNow: UInt64?) {
    unsafe pointer.pointee.deadlineNanoseconds = nanosecondsFromNow.map { monotonicNanosecondsNow() + $0 } ?? .max
  }
}
