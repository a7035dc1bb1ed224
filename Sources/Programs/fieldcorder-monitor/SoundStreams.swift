import LiveStreams
import Rings
import Text
import Values

/// The recorder's sound in each encoding that somebody listens to. Each is made once.
struct SoundStreams: ~Copyable {
  /// How much is read of the recorder's ring at once: a tenth of a second of eight channels at 48 kHz.
  private static var pieceByteCount: Int { 65_536 }
  /// Pieces at a time: more than the recorder's ring gets between two looks, whatever the format.
  private static var piecesPerLook: Int { 16 }

  private var wav: StreamRing
  private var piece: FixedBuffer
  private var isWAVActive = false
  /// Frames that came too late to be sent, since the start.
  private(set) var lostFrameCount: UInt64 = 0
  private(set) var format: AudioFormat?

  /// - Returns: nil when `memory` is used up.
  init?(in memory: inout BootMemory) {
    guard let wav = StreamRing(in: &memory), let piece = FixedBuffer(byteCount: Self.pieceByteCount, in: &memory)
    else { return nil }
    self.wav = wav
    self.piece = piece
  }

  private var isActive: Bool { isWAVActive }

  /// A listener begins.
  /// - Returns: nil when there is no sound, or it cannot be encoded so.
  mutating func join(_ kind: SoundKind, _ samples: inout SampleFollower) -> StreamCursor? {
    if !isActive {
      samples.skipToEnd()
      format = samples.audioFormat
    }
    guard let format, kind == .wav else { return nil }
    if !isWAVActive {
      wav.restart()
      isWAVActive = unsafe wav.appendHeader(WAVStreamHeader.bytes(format).bytes.bytes)
    }
    return wav.join()
  }

  /// Ends an encoding to which nobody listens.
  mutating func leave(_ kind: SoundKind) {
    if kind == .wav { isWAVActive = false }
  }

  /// Ends everything: another recorder has come, or another format.
  mutating func restart() {
    wav.restart()
    isWAVActive = false
    format = nil
  }

  /// Takes what the recorder has got since the last look.
  mutating func follow(_ samples: inout SampleFollower) {
    guard isActive, let format else { return }
    for _ in 0..<Self.piecesPerLook {
      var room = piece.mutableBytes
      switch samples.read(into: &room) {
      case .nothing: return
      case .lost(let frameCount): lostFrameCount += frameCount
      case .newFormat: return restart()
      case .frames(let count): take(byteCount: count * format.bytesPerFrame)
      }
    }
  }

  private mutating func take(byteCount: Int) {
    if isWAVActive { Self.append(piece, byteCount, to: &wav) }
  }

  private static func append(_ piece: borrowing FixedBuffer, _ byteCount: Int, to stream: inout StreamRing) {
    stream.append(piece.bytes.extracting(first: byteCount))
    stream.markEntry()
  }

  func bytesBehind(_ kind: SoundKind, _ cursor: StreamCursor) -> Int? { wav.bytesBehind(cursor) }

  func read(_ kind: SoundKind, _ cursor: inout StreamCursor, into buffer: inout MutableRawSpan) -> StreamReading {
    wav.read(&cursor, into: &buffer)
  }
}
