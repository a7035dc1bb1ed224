import Base
import CLinux
import Machine
import Wire

/// What a listener writes into the pipe: a header, and then without a gap what is to be heard. It goes through three
/// buffers; the first is written when all have been filled.
struct SyncedPipe: ~Copyable {
  var output: SyncedOutput
  private let pipe: Int32
  private var buffers: ReceiverBuffers
  private var block: FixedBuffer
  /// What of the block is in no buffer yet.
  private var blockStart = 0
  private var blockEnd = 0
  /// Bytes of the next buffer that the pipe has.
  private var writtenByteCount = 0

  /// - Parameter pipe: empty, and never waited for.
  /// - Returns: nil when there is no memory, or nobody reads the pipe.
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

  /// Puts out what is due, as far as the pipe takes it.
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

  /// Nothing follows: what is left is written, as far as the pipe takes it.
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

  /// - Returns: whether the pipe has all buffers that are full.
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
