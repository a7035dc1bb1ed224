import Synchronization

/// The memory behind ``TakeProgress``.
struct TakeCounts: ~Copyable {
  let bytes = Atomic<UInt64>(0)
  let audioFrames = Atomic<UInt64>(0)
  let videoFrames = Atomic<UInt64>(0)
  let freeBytes = Atomic<UInt64>(0)
}
