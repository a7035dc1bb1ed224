import Base
import Configuration
import Machine
import Net
import Wire

/// The recorder's sound for players that play it in sync. Chunks are made only while there are clients.
struct SnapcastFeed: ~Copyable {
  /// As in ``SoundStreams``.
  private static var pieceByteCount: Int { 65_536 }
  private static var piecesPerLook: Int { 16 }

  private var server: SnapcastServer
  private var maker: ChunkMaker
  private var piece: FixedBuffer
  private var samples: SampleFollower?
  private var format: AudioFormat?
  /// The instant of frame 0 of the shared playback; nil for the microphone.
  private var epoch: Instant?
  private var isFollowing = false

  /// - Throws: if the address or the port cannot be used.
  init?(_ settings: MonitorSettings, in memory: inout BootMemory) throws(Refusal) {
    guard let port = settings.snapcastPort else { return nil }
    let answer = ServerSettings(bufferMilliseconds: Int64(settings.snapcastBufferMilliseconds))
    guard
      let server = SnapcastServer(
        address: settings.snapcastAddress, port: port, answer, clientCount: Int(settings.snapcastClientCount),
        in: &memory)
    else {
      throw Refusal(
        """
        cannot listen at \(settings.snapcastAddress), port \(port) (errno \(lastSystemError)): set [monitor] \
        snapcast_address to an address of this machine in digits, and snapcast_port to a free port
        """)
    }
    guard let maker = ChunkMaker(in: &memory), let piece = FixedBuffer(byteCount: Self.pieceByteCount, in: &memory)
    else { throw Refusal("there is not enough memory") }
    self.server = server
    self.maker = maker
    self.piece = piece
  }

  /// Becomes readable when a client has sent something.
  var events: Int32 { server.events }
  var hasClients: Bool { server.clientCount > 0 }

  /// When the microphone's frames were recorded; nil if there are no clients, or the clock is only an estimate.
  var clock: ChunkClock? {
    isFollowing && epoch == nil && maker.clock.instant(of: 0) != nil ? maker.clock : nil
  }

  /// Follows another recorder's sound from now on, or none.
  mutating func attach(_ samples: SampleFollower?) {
    self.samples = samples
    epoch = nil
    begin()
  }

  /// Follows another source of the same recorder: the microphone, or the shared playback. Its format is usually the
  /// same, and then no client is disconnected.
  mutating func change(to samples: SampleFollower, epoch: Instant?) {
    self.samples = samples
    self.epoch = epoch
    self.samples?.skipToEnd()
    guard let format, self.samples?.audioFormat == format else { return begin() }
    _ = maker.restart(format, epoch: epoch)
  }

  /// Begins with the card's present format. Clients that were sent another format are disconnected, and reconnect.
  private mutating func begin() {
    isFollowing = false
    samples?.skipToEnd()
    format = samples?.audioFormat
    if let offered = format, !maker.restart(offered, epoch: epoch) { format = nil }
    server.begin(format)
  }

  /// Answers clients, and sends them new chunks.
  mutating func follow() {
    server.exchange()
    if server.clientCount == 0 { return rest() }
    guard let format else { return }
    if !isFollowing {
      samples?.skipToEnd()
      _ = maker.restart(format, epoch: epoch)
      isFollowing = true
    }
    guard takeFrames(format) else { return begin() }
    server.exchange()
  }

  /// Without clients, only a change of the card's format is noticed.
  private mutating func rest() {
    isFollowing = false
    samples?.skipToEnd()
    if samples?.audioFormat != format { begin() }
  }

  /// - Returns: false if the frames that follow have another format.
  private mutating func takeFrames(_ format: AudioFormat) -> Bool {
    guard var samples else { return true }
    defer { self.samples = samples }
    for _ in 0..<Self.piecesPerLook {
      let position = samples.position
      var room = piece.mutableBytes
      switch samples.read(into: &room) {
      case .nothing: break
      case .lost: continue
      case .newFormat: return false
      case .frames(let count):
        Self.append(piece, count * format.bytesPerFrame, at: position, to: &server, by: &maker)
        continue
      }
      break
    }
    maker.note(end: samples.position, at: Instant.now)
    return true
  }

  private static func append(
    _ piece: borrowing FixedBuffer, _ byteCount: Int, at position: TimelinePosition, to server: inout SnapcastServer,
    by maker: inout ChunkMaker
  ) {
    maker.append(piece.bytes.extracting(first: byteCount), at: position) { sound, recorded in
      server.append(sound, recorded: recorded)
    }
  }

  func list(into list: inout ListenerList, at now: Instant) {
    server.forEachClient { address, client, since, sentByteCount, bytesBehind in
      list.append(
        ListenerEntry(
          address: address, path: "snapcast \(client.hostName)", seconds: now.distance(since: since) / 1_000_000_000,
          sentByteCount: sentByteCount, bytesBehind: UInt64(clamping: bytesBehind)))
    }
  }
}
