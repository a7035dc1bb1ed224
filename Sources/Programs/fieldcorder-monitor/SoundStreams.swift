import Base
import CFFmpeg
import Machine
import Net
import Wire

/// The recorder's sound in each encoding that has listeners. Each is encoded once.
struct SoundStreams: ~Copyable {
  /// Bytes read from the recorder's ring at once: a third of a second of two channels of 16 bits at 48 kHz.
  private static var pieceByteCount: Int { 65_536 }
  /// Reads per poll: 170 ms of the widest format (8 channels of 32 bits at 192 kHz), eight polling intervals.
  private static var piecesPerLook: Int { 16 }

  private var wav: StreamRing
  private var flac: StreamRing
  private var opus: StreamRing
  private var timed: StreamRing
  private var piece: FixedBuffer
  private let opusRoom: OpusRoom
  private var maker: ChunkMaker
  private var isWAVActive = false
  private var isTimedActive = false
  private var flacEncoder: FLACEncoder?
  private var opusEncoder: OpusEncoder?
  /// Frames overwritten before they could be sent, since the start.
  private(set) var lostFrameCount: UInt64 = 0
  /// The format of the streams; nil before the first listener.
  private(set) var format: AudioFormat?
  /// The instant of frame 0 of the shared playback; nil for the microphone, whose instants are measured by polling.
  private var epoch: Instant?

  init?(in memory: inout BootMemory) {
    guard let wav = StreamRing(in: &memory), let flac = StreamRing(in: &memory), let opus = StreamRing(in: &memory),
      let timed = StreamRing(in: &memory), let maker = ChunkMaker(in: &memory),
      let piece = FixedBuffer(byteCount: Self.pieceByteCount, in: &memory), let opusRoom = OpusRoom(in: &memory)
    else { return nil }
    self.wav = wav
    self.flac = flac
    self.opus = opus
    self.timed = timed
    self.maker = maker
    self.piece = piece
    self.opusRoom = opusRoom
  }

  private func isActive(_ kind: SoundKind) -> Bool {
    switch kind {
    case .wav: isWAVActive
    case .flac: flacEncoder != nil
    case .opus: opusEncoder != nil
    case .timed: isTimedActive
    }
  }

  private var isAnyActive: Bool { isActive(.wav) || isActive(.flac) || isActive(.opus) || isActive(.timed) }

  /// Adds a listener.
  /// - Returns: nil if there is no sound, or it cannot be encoded this way.
  mutating func join(_ kind: SoundKind, _ samples: inout SampleFollower) -> StreamCursor? {
    if !isAnyActive {
      samples.skipToEnd()
      format = samples.audioFormat
    }
    guard let format, isActive(kind) || begin(kind, format) else { return nil }
    switch kind {
    case .wav: return wav.join()
    case .flac: return flac.join()
    case .opus: return opus.join()
    case .timed: return timed.join()
    }
  }

  private mutating func begin(_ kind: SoundKind, _ format: AudioFormat) -> Bool {
    switch kind {
    case .wav:
      wav.restart()
      let header = WAVStreamHeader.bytes(format)
      isWAVActive = unsafe wav.appendHeader(header.bytes.bytes)
      return isWAVActive
    case .flac:
      flac.restart()
      guard let encoder = FLACEncoder(format), encoder.writeHeader(to: &flac) else { return false }
      flacEncoder = .some(encoder)
      return true
    case .opus:
      opus.restart()
      guard var encoder = OpusEncoder(format, opusRoom), encoder.writeHeader(to: &opus) else { return false }
      opusEncoder = .some(encoder)
      return true
    case .timed:
      timed.restart()
      isTimedActive = maker.restart(format, epoch: epoch)
      return isTimedActive
    }
  }

  /// Ends an encoding that has no listeners.
  mutating func leave(_ kind: SoundKind) {
    switch kind {
    case .wav: isWAVActive = false
    case .flac: flacEncoder = nil
    case .opus: opusEncoder = nil
    case .timed: isTimedActive = false
    }
  }

  /// Ends all streams, because the recorder or the format has changed.
  mutating func restart() {
    wav.restart()
    flac.restart()
    opus.restart()
    timed.restart()
    isWAVActive = false
    isTimedActive = false
    flacEncoder = nil
    opusEncoder = nil
    format = nil
  }

  /// Another source of the same recorder follows, or none, or another recorder's. One of the same format continues in
  /// the same streams.
  /// - Parameter epoch: the instant of its frame 0, if that is known exactly.
  mutating func change(to next: AudioFormat?, epoch: Instant?) {
    self.epoch = epoch
    guard let format, next == format else { return restart() }
    if isTimedActive { _ = maker.restart(format, epoch: epoch) }
  }

  /// Gives the microphone's frames the times that players in sync get: two independent clock estimates would differ by
  /// fractions of a millisecond.
  mutating func go(by clock: ChunkClock) { if isTimedActive, epoch == nil { maker.go(by: clock) } }

  /// Takes the sound that the recorder has produced since the last poll.
  mutating func follow(_ samples: inout SampleFollower) {
    guard isAnyActive, let format else { return }
    for _ in 0..<Self.piecesPerLook {
      let position = samples.position
      var room = piece.mutableBytes
      switch samples.read(into: &room) {
      case .nothing: break
      case .lost(let frameCount):
        lostFrameCount += frameCount
        continue
      case .newFormat: return restart()
      case .frames(let count):
        take(byteCount: count * format.bytesPerFrame, at: position, format)
        continue
      }
      break
    }
    if isTimedActive { maker.note(end: samples.position, at: Instant.now) }
  }

  private mutating func take(byteCount: Int, at position: TimelinePosition, _ format: AudioFormat) {
    if isTimedActive { Self.append(piece, byteCount, at: position, format, to: &timed, by: &maker) }
    if isWAVActive { Self.append(piece, byteCount, to: &wav) }
    Self.encode(piece, byteCount, by: &flacEncoder, to: &flac)
    Self.encode(piece, byteCount, by: &opusEncoder, to: &opus)
  }

  private static func append(_ piece: borrowing FixedBuffer, _ byteCount: Int, to stream: inout StreamRing) {
    stream.append(piece.bytes.extracting(first: byteCount))
    stream.markEntry()
  }

  private static func append(
    _ piece: borrowing FixedBuffer, _ byteCount: Int, at position: TimelinePosition, _ format: AudioFormat,
    to stream: inout StreamRing, by maker: inout ChunkMaker
  ) {
    maker.append(piece.bytes.extracting(first: byteCount), at: position) { sound, recorded in
      let head = TimedPiece.head(recorded: recorded, format, soundByteCount: sound.byteCount)
      stream.markEntry()
      unsafe stream.append(head.bytes.bytes)
      stream.append(sound)
    }
  }

  private static func encode(
    _ piece: borrowing FixedBuffer, _ byteCount: Int, by encoder: inout FLACEncoder?, to stream: inout StreamRing
  ) {
    encoder?.take(piece.bytes.extracting(first: byteCount), into: &stream)
  }

  private static func encode(
    _ piece: borrowing FixedBuffer, _ byteCount: Int, by encoder: inout OpusEncoder?, to stream: inout StreamRing
  ) {
    encoder?.take(piece.bytes.extracting(first: byteCount), into: &stream)
  }

  func place(of cursor: StreamCursor, in kind: SoundKind) -> StreamPlace {
    switch kind {
    case .wav: wav.place(of: cursor)
    case .flac: flac.place(of: cursor)
    case .opus: opus.place(of: cursor)
    case .timed: timed.place(of: cursor)
    }
  }

  func read(_ kind: SoundKind, _ cursor: inout StreamCursor, into buffer: inout MutableRawSpan) -> StreamReading {
    switch kind {
    case .wav: wav.read(&cursor, into: &buffer)
    case .flac: flac.read(&cursor, into: &buffer)
    case .opus: opus.read(&cursor, into: &buffer)
    case .timed: timed.read(&cursor, into: &buffer)
    }
  }
}

/// A piece of a stream that a browser plays in sync with others: a header, then samples of 16 bits, little-endian and
/// interleaved. Each piece describes itself completely, so a listener who joins late needs nothing else, and a gap or
/// another source shows in the times.
enum TimedPiece {
  /// The header: when the first frame was recorded, in nanoseconds of the server's monotonic clock (8 bytes), frames
  /// per second (4), channels (2), and frames in the piece (2); all little-endian.
  static func head(recorded: Instant, _ format: AudioFormat, soundByteCount: Int) -> FixedText<16> {
    var head = FixedText<16>()
    head.append(littleEndian: recorded.rawValue)
    head.append(littleEndian: format.sampleRateHz)
    head.append(littleEndian: format.channelCount)
    head.append(littleEndian: UInt16(clamping: soundByteCount / (2 * Int(format.channelCount))))
    return head
  }
}
