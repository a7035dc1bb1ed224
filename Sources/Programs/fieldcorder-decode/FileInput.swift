import Base
import CFFmpeg
import CLinux
import Machine
import Synchronization

/// The bytes of the file or pipe that came with an order, for FFmpeg to read. Its address is fixed because FFmpeg keeps
/// a pointer to it.
@safe struct FileInput: ~Copyable {
  private let descriptor: FileDescriptor
  private var offset: Int64 = 0
  /// Reads fail after this instant, so that opening a file takes a bounded time.
  var deadline = Instant.max
  /// Ticks with each read during a seek.
  var search: SearchReporter?
  /// Whether a read from the card failed.
  private(set) var hasFailed = false
  /// Whether the bytes come through a pipe, which cannot seek and has no size.
  let isStream: Bool
  /// Whether it is a stream that another program keeps in sync.
  var isSynced = false
  /// The streams that make up the file, in order, as far as they have been searched for.
  var parts = FileParts()
  /// The start of the part being read; the rest of the file is hidden.
  private(set) var start: Int64 = 0
  private var end: Int64?
  /// The bytes before the file proper, which are skipped: all offsets count from their end.
  private var prefixByteCount: Int64 = 0
  private var corrections = InlineArray<3, HeaderCorrection>(repeating: HeaderCorrection())
  private var correctionCount = 0
  var isCorrected: Bool { correctionCount > 0 }
  /// The size of the sound in a file of chunks whose header does not tell it.
  var soundByteCount: Int64?
  /// The padding bytes that the chunks of this file lack, which FFmpeg is given nevertheless.
  private var pads = MissingPads()
  /// The content of a tag's frame that is compressed in the file.
  var unpacked = UnpackedFrame()
  /// What was read of a stream to tell its kind, until it was read again.
  // Safe: belongs to the value, and no byte beyond the count is read.
  private var ahead: UnsafeMutablePointer<UInt8>?
  private var aheadByteCount = 0
  /// Ends the wait for bytes of a stream; set by another thread.
  private let isGivenUp = Atomic(false)
  /// How often a wait for bytes of a stream checks whether it should end.
  private static var waitMilliseconds: Int32 { 100 }

  init(_ descriptor: consuming FileDescriptor) {
    isStream = lseek(descriptor.number, 0, SEEK_CUR) < 0
    self.descriptor = descriptor
  }

  deinit { unsafe av_free(ahead) }

  /// Makes reads of a stream end.
  func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

  var isEmpty: Bool { isStream ? offset == 0 : byteCount <= 0 }
  var isLate: Bool { deadline != .max && Instant.now > deadline }

  /// The present size; a take may still grow.
  var byteCount: Int64 { max(0, (end ?? wholeByteCount) - start) + Int64(pads.count) }

  /// The size of all parts together; of a stream, of what was read ahead.
  // Not by fstat, which glibc implements as a system call by path that the sandbox cannot allow.
  var wholeByteCount: Int64 {
    isStream ? Int64(aheadByteCount) : max(0, Int64(lseek(descriptor.number, 0, SEEK_END)) - prefixByteCount)
  }
  /// Where a tag may be that comes before the sound of the open part; negative if it is skipped.
  var tagStart: Int64 { prefixByteCount > 0 && parts.index == 0 ? -prefixByteCount : start }
  mutating func rewind() { if !isStream { offset = 0 } }

  /// Has the file begin after this many bytes from now on.
  mutating func skipPrefix(byteCount: Int64) {
    prefixByteCount = byteCount
    offset = 0
  }

  mutating func showPart(_ index: Int) {
    parts.select(index)
    if let part = parts.current { show(part) }
  }

  /// Restricts reads to this part from now on.
  mutating func show(_ part: FilePart) {
    start = part.start
    end = part.end
    offset = 0
  }

  /// Substitutes other bytes at an offset from now on; at most three times.
  mutating func correct(_ correction: HeaderCorrection) {
    guard correctionCount < corrections.count else { return }
    corrections[correctionCount] = correction
    correctionCount += 1
  }

  /// Substitutes a four-byte number.
  mutating func correct(bigEndian value: Int64, at place: Int64) {
    let swapped = UInt32(truncatingIfNeeded: value).byteSwapped
    correct(HeaderCorrection(place: place, value: UInt64(swapped), byteCount: 4))
  }

  /// The offset of the chunk after one whose content ends at an offset: chunks begin at even distances.
  func chunkEnd(_ contentEnd: Int64, byteCount: some BinaryInteger) -> Int64 {
    contentEnd + (byteCount & 1 == 1 && !pads.contains(contentEnd) ? 1 : 0)
  }

  /// Notes that the padding byte that belongs at an offset is missing.
  mutating func insertPad(at place: Int64) { pads.append(place) }

  /// Reads the first bytes.
  /// - Returns: how many there are, at most `byteCount`.
  func peek(_ buffer: UnsafeMutablePointer<UInt8>, byteCount: Int) -> Int {
    unsafe peek(buffer, byteCount: byteCount, at: start)
  }

  /// Reads bytes at any offset of the whole file.
  func peek(_ buffer: UnsafeMutablePointer<UInt8>, byteCount: Int, at place: Int64) -> Int {
    guard !isStream else { return unsafe copyAhead(to: buffer, byteCount: byteCount, from: place) }
    let fileOffset = off_t(prefixByteCount + place)
    return max(0, retryingWhenInterrupted { unsafe pread(descriptor.number, buffer, byteCount, fileOffset) })
  }

  /// Reads the first bytes of a stream, which are read again after that.
  mutating func readAhead(byteCount: Int) {
    guard byteCount > aheadByteCount else { return }
    let grown = unsafe Heap.required(av_realloc(ahead, byteCount)).bindMemory(to: UInt8.self, capacity: byteCount)
    unsafe ahead = grown
    while aheadByteCount < byteCount {
      search?.tick()
      let count = unsafe waitAndRead(into: grown + aheadByteCount, byteCount: byteCount - aheadByteCount)
      guard count > 0 else { return }
      aheadByteCount += count
    }
  }

  private func copyAhead(to buffer: UnsafeMutablePointer<UInt8>, byteCount: Int, from place: Int64) -> Int {
    guard let ahead = unsafe ahead else { return 0 }
    let count = max(0, min(byteCount, aheadByteCount - Int(place)))
    unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: ahead + Int(place), byteCount: count)
    return count
  }

  mutating func read(into buffer: UnsafeMutablePointer<UInt8>?, byteCount: Int32) -> Int32 {
    guard let buffer = unsafe buffer, byteCount > 0 else { return ffmpeg_invalid_argument() }
    guard !isLate else { return ffmpeg_exit() }
    search?.tick()
    guard !isStream else { return unsafe readPipe(into: buffer, byteCount: Int(byteCount)) }
    let (place, stretch) = pads.stretch(at: start + offset)
    guard let stretch else {
      unsafe buffer.pointee = 0
      offset += 1
      return 1
    }
    let wanted = min(min(Int64(byteCount), stretch), end.map { $0 - place } ?? .max)
    guard wanted > 0 else { return ffmpeg_end_of_file() }
    let fileOffset = off_t(prefixByteCount + place)
    let count = retryingWhenInterrupted { unsafe pread(descriptor.number, buffer, Int(wanted), fileOffset) }
    guard count >= 0 else {
      hasFailed = true
      return ffmpeg_input_output_error()
    }
    guard count > 0 else { return ffmpeg_end_of_file() }
    for index in 0..<correctionCount {
      unsafe corrections[index].apply(to: buffer, from: place, byteCount: count)
    }
    offset += Int64(count)
    return Int32(count)
  }

  /// Waits for the next bytes of a stream.
  private mutating func readPipe(into buffer: UnsafeMutablePointer<UInt8>, byteCount: Int) -> Int32 {
    var count = unsafe copyAhead(to: buffer, byteCount: byteCount, from: offset)
    if count == 0 {
      unsafe av_freep(&ahead)
      aheadByteCount = 0
      count = unsafe waitAndRead(into: buffer, byteCount: byteCount)
    }
    offset += Int64(count)
    return count > 0 ? Int32(count) : ffmpeg_end_of_file()
  }

  /// - Returns: 0 at the end.
  private mutating func waitAndRead(into buffer: UnsafeMutablePointer<UInt8>, byteCount: Int) -> Int {
    while !isGivenUp.load(ordering: .relaxed) {
      var waiting = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&waiting, 1, Self.waitMilliseconds) > 0 {
        let count = retryingWhenInterrupted { unsafe CLinux.read(descriptor.number, buffer, byteCount) }
        return max(0, count)
      }
      search?.tick()
    }
    return 0
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
    // The sum of the part's start and an offset in it must not overflow.
    guard target >= 0, target < 1 << 62 else { return Int64(ffmpeg_invalid_argument()) }
    offset = target
    return target
  }
}

/// Owns a ``FileInput`` at a fixed address.
@safe struct InputPlace: ~Copyable {
  // Safe: owned by the value until it ends.
  let pointer: UnsafeMutablePointer<FileInput>

  init(_ descriptor: consuming FileDescriptor) { unsafe pointer = Heap.place(FileInput(descriptor)) }

  deinit { unsafe Heap.remove(pointer) }

  /// Makes reads fail after this time; nil: never.
  func setDeadline(nanosecondsFromNow: UInt64?) {
    unsafe pointer.pointee.deadline = nanosecondsFromNow.map { Instant.now + $0 } ?? .max
  }
}

/// FFmpeg's read callback; `context` is the ``FileInput``.
func readFileInput(_ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32
{
  guard let context = unsafe context else { return ffmpeg_invalid_argument() }
  return unsafe context.assumingMemoryBound(to: FileInput.self).pointee.read(into: buffer, byteCount: count)
}

/// FFmpeg's seek callback.
func seekFileInput(_ context: UnsafeMutableRawPointer?, _ target: Int64, _ whence: Int32) -> Int64 {
  guard let context = unsafe context else { return Int64(ffmpeg_invalid_argument()) }
  return unsafe context.assumingMemoryBound(to: FileInput.self).pointee.seek(to: target, from: whence)
}

/// FFmpeg's interrupt callback: 1 to abort.
func isFileInputLate(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context = unsafe context else { return 0 }
  return unsafe context.assumingMemoryBound(to: FileInput.self).pointee.isLate ? 1 : 0
}
