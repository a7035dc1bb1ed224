import Base
import CLinux
import Machine
import Wire

/// The pipe's output when playing in sync: a header, then sound without gaps. It goes through three buffers; the first
/// is written once all have been filled.
struct SyncedPipe: ~Copyable {
  var output: SyncedOutput
  private let pipe: Int32
  private var buffers: ReceiverBuffers
  private var block: FixedBuffer
  /// The part of the block that is in no buffer yet.
  private var blockStart = 0
  private var blockEnd = 0
  /// Bytes of the next buffer that have been written to the pipe.
  private var writtenByteCount = 0

  /// - Parameter pipe: empty, and non-blocking.
  /// - Returns: nil if there is no memory, or nobody reads the pipe.
  init?(_ format: AudioFormat, _ pipe: Int32, in memory: inout BootMemory) {
    let header = CoreAudioStreamHeader.bytes(format)
    let written = unsafe header.bytes.withUnsafeBufferPointer { unsafe CLinux.write(pipe, $0.baseAddress, $0.count) }
    guard written == header.byteCount else { return nil }
    guard let output = SyncedOutput(format, in: &memory), let buffers = ReceiverBuffers(.constant, in: &memory),
      let block = FixedBuffer(byteCount: SyncedOutput.blockByteCount, in: &memory)
    else { return nil }
    self.output = output
    self.buffers = buffers
    self.block = block
    self.pipe = pipe
  }

  /// Outputs the blocks that are due, as far as the pipe accepts them.
  mutating func supply(at now: Instant, _ clock: ClockEstimate?, _ settings: ServerSettings) {
    while flush() {
      if blockStart == blockEnd {
        blockStart = 0
        blockEnd = Self.nextBlock(of: &output, into: &block, at: now, clock, settings)
        guard blockEnd > 0 else { return }
      }
      blockStart += Self.fill(&buffers, block, blockStart..<blockEnd)
    }
  }

  /// Ends the output: the rest is written as far as the pipe accepts it.
  mutating func end(_ how: ReceiverBuffers.Ending) {
    buffers.end(how)
    _ = flush()
  }

  private static func nextBlock(
    of output: inout SyncedOutput, into block: inout FixedBuffer, at now: Instant, _ clock: ClockEstimate?,
    _ settings: ServerSettings
  ) -> Int {
    var room = block.mutableBytes
    return output.nextBlock(into: &room, at: now, clock, settings)
  }

  private static func fill(
    _ buffers: inout ReceiverBuffers, _ block: borrowing FixedBuffer, _ range: Range<Int>
  ) -> Int {
    // Only packets of a variable rate can be too long.
    (try? buffers.put(block.bytes.extracting(range))) ?? 0
  }

  /// - Returns: whether the pipe has accepted all full buffers.
  private mutating func flush() -> Bool {
    while true {
      let count = buffers.next.byteCount
      guard count > 0 else { return true }
      writtenByteCount += max(0, Self.write(buffers, from: writtenByteCount, to: pipe))
      guard writtenByteCount == count else { return false }
      buffers.releaseNext()
      writtenByteCount = 0
    }
  }

  private static func write(_ buffers: borrowing ReceiverBuffers, from start: Int, to pipe: Int32) -> Int {
    unsafe buffers.next.extracting(droppingFirst: start).withUnsafeBytes { bytes in
      retryingWhenInterrupted { unsafe CLinux.write(pipe, bytes.baseAddress, bytes.count) }
    }
  }
}

/// Bytes that the pipe has not accepted yet, or those of a playlist.
@safe struct SoundBuffer: ~Copyable {
  /// More than libcurl delivers at once (CURL_MAX_WRITE_SIZE), and than a radio station's playlist has.
  static var capacity: Int { 0x10000 }

  // Safe: belongs to no other value, and outlives this one; indices stay within the capacity.
  private let bytes: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var end = 0

  /// - Parameter memory: of ``capacity`` bytes.
  init(_ memory: UnsafeMutableRawPointer) {
    unsafe bytes = memory.bindMemory(to: UInt8.self, capacity: Self.capacity)
  }

  var isEmpty: Bool { start == end }

  mutating func removeAll() {
    start = 0
    end = 0
  }

  /// - Returns: false if they do not fit.
  mutating func append(_ span: Span<UInt8>) -> Bool {
    guard span.count <= Self.capacity - end else { return false }
    unsafe span.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(bytes + end).copyMemory(from: first, byteCount: source.count)
    }
    end += span.count
    return true
  }

  /// Writes as much as the pipe accepts now.
  /// - Returns: whether anything was written.
  mutating func write(to pipe: Int32) -> Bool {
    guard !isEmpty else { return false }
    let count = unsafe CLinux.write(pipe, bytes + start, end - start)
    guard count > 0 else { return false }
    start += count
    if isEmpty { removeAll() }
    return true
  }

  /// The playlist's entry at an index; nil after its end.
  func entry(_ index: Int) -> FixedText<2048>? {
    // Safe: the span is used within the call.
    var reader = PlaylistReader(unsafe Span(_unsafeStart: UnsafePointer(bytes + start), count: end - start))
    for _ in 0..<index where reader.next() == nil { return nil }
    return reader.next()
  }

  /// Whether the playlist is a list of segments, without any stream.
  var isSegmented: Bool {
    // Safe: as above.
    var reader = PlaylistReader(unsafe Span(_unsafeStart: UnsafePointer(bytes + start), count: end - start))
    return reader.next() == nil && reader.isSegmented
  }
}

/// The header of an endless Core Audio Format stream of 16-bit little-endian PCM ("Apple Core Audio Format
/// Specification 1.0"). FFmpeg does not probe its first 64 KiB for S/PDIF, as it does for WAV, so its sound is
/// available at once.
enum CoreAudioStreamHeader {
  static func bytes(_ format: AudioFormat) -> FixedText<68> {
    var header = FixedText<68>()
    header.append("caff")
    header.append(bigEndian: UInt32(1 << 16))
    header.append("desc")
    header.append(bigEndian: UInt64(32))
    header.append(bigEndian: Double(format.sampleRateHz).bitPattern)
    header.append("lpcm")
    // Little-endian.
    header.append(bigEndian: UInt32(2))
    header.append(bigEndian: UInt32(format.bytesPerFrame))
    header.append(bigEndian: UInt32(1))
    header.append(bigEndian: UInt32(format.channelCount))
    header.append(bigEndian: UInt32(16))
    header.append("data")
    // Of an unknown size.
    header.append(bigEndian: UInt64.max)
    header.append(bigEndian: UInt32(0))
    return header
  }
}
