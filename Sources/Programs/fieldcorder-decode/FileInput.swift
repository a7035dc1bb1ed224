import CFFmpeg
import CLinux
import Posix

/// The bytes of the file that came with an order, as FFmpeg asks for them. It has a place of its own in memory, because
/// FFmpeg keeps a pointer to it.
struct FileInput: ~Copyable {
  private let descriptor: FileDescriptor
  private var offset: Int64 = 0
  /// After this instant nothing more is read: whoever opens a file does not wait for ever.
  var deadlineNanoseconds = UInt64.max
  /// Whether the card refused a read.
  private(set) var hasFailed = false

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  var isLate: Bool { deadlineNanoseconds != .max && monotonicNanosecondsNow() > deadlineNanoseconds }

  /// As large as it is now: a take may still grow.
  // Not by fstat, which glibc makes a call by name that the sandbox has no way to tell from others.
  var byteCount: Int64 { Int64(max(0, lseek(descriptor.number, 0, SEEK_END))) }

  mutating func rewind() { offset = 0 }

  mutating func read(into room: UnsafeMutablePointer<UInt8>?, byteCount: Int32) -> Int32 {
    guard let room = unsafe room, byteCount > 0 else { return ffmpeg_invalid_argument() }
    guard !isLate else { return ffmpeg_exit() }
    let count = retryingWhenInterrupted { unsafe pread(descriptor.number, room, Int(byteCount), off_t(offset)) }
    guard count >= 0 else {
      hasFailed = true
      return ffmpeg_input_output_error()
    }
    guard count > 0 else { return ffmpeg_end_of_file() }
    offset += Int64(count)
    return Int32(count)
  }

  mutating func seek(to target: Int64, from whence: Int32) -> Int64 {
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return byteCount
    case SEEK_SET: return move(to: target)
    case SEEK_CUR: return move(to: offset &+ target)
    case SEEK_END: return move(to: byteCount &+ target)
    default: return Int64(ffmpeg_invalid_argument())
    }
  }

  private mutating func move(to target: Int64) -> Int64 {
    guard target >= 0 else { return Int64(ffmpeg_invalid_argument()) }
    offset = target
    return target
  }
}

/// What FFmpeg calls for bytes; `context` is the input's place.
func readFileInput(_ context: UnsafeMutableRawPointer?, _ room: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
  guard let context = unsafe context else { return ffmpeg_invalid_argument() }
  return unsafe context.assumingMemoryBound(to: FileInput.self).pointee.read(into: room, byteCount: count)
}

/// What it calls to go elsewhere in the file.
func seekFileInput(_ context: UnsafeMutableRawPointer?, _ target: Int64, _ whence: Int32) -> Int64 {
  guard let context = unsafe context else { return Int64(ffmpeg_invalid_argument()) }
  return unsafe context.assumingMemoryBound(to: FileInput.self).pointee.seek(to: target, from: whence)
}

/// What it asks now and then: 1 to break off.
func isFileInputLate(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context = unsafe context else { return 0 }
  return unsafe context.assumingMemoryBound(to: FileInput.self).pointee.isLate ? 1 : 0
}
