import Base

/// A sound card with its own crystal and buffer. It plays to a file if one is configured, so that programs can check
/// the sound.
package struct SimSpeaker: SpeakerDriver, ~Copyable {
  private let world: SimWorld
  private let settings: SimSettings
  /// The path to the microphone; nil if it does not hear the speaker.
  private let air: SimAir?
  private var format: AudioFormat
  /// Nil while closed.
  private var playback: SimPlayback?
  /// Nil before the first opening, and if no file is configured.
  private var heardSound: SimHeardSound?

  package init(_ settings: SimSettings, world: SimWorld) { self.init(settings, world: world, air: nil) }

  init(_ settings: SimSettings, world: SimWorld, air: SimAir?) {
    self.world = world
    self.settings = settings
    self.air = air
    format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  }

  /// Creates the configured file at the first opening, and at one for another format; otherwise continues it.
  /// - Returns: the requested format, with 16 bits if no sample format was requested. Twice the rate while it is
  ///   ``Fault/Kind/changed``.
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    world.sitOut(.speaker)
    if let failure = world.failure(of: .speaker, request.deviceName, isOpening: true) { throw failure }
    format = AudioFormat(
      sampleRateHz: request.sampleRateHz, channelCount: request.channelCount,
      sampleFormat: request.sampleFormat ?? .int16)
    try prepareFile()
    air?.begin(sampleRateHz: format.sampleRateHz)
    playback = SimPlayback(
      timeline: SimTimeline(
        start: world.start, ticks: format.sampleRateHz, partsPerMillion: settings.speakerPartsPerMillion),
      bufferFrames: Int(UInt64(format.sampleRateHz) * UInt64(request.bufferMilliseconds) / 1000))
    guard world.fault(of: .speaker)?.kind == .changed else { return format }
    var other = format
    other.sampleRateHz *= 2
    return other
  }

  package mutating func look() throws(DeviceFailure) -> SpeakerState {
    let now = try requireCard()
    guard let state = playback?.look(at: now) else { throw .notOpen(.speaker) }
    return state
  }

  package mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    let frameCount = frames.byteCount / format.bytesPerFrame
    let now = try requireCard()
    guard let taken = playback?.take(frameCount, at: now) else { throw .notOpen(.speaker) }
    guard taken.frameCount > 0 else { return 0 }
    let played = frames.extracting(first: taken.frameCount * format.bytesPerFrame)
    air?.append(played, format, atTick: taken.firstTick)
    try heardSound?.append(played, atTick: taken.firstTick)
    return taken.frameCount
  }

  /// Plays from the next tick of the crystal.
  package mutating func start() throws(DeviceFailure) {
    world.sitOut(.speaker)
    let now = try requireCard()
    guard let waited = playback?.start(at: now), waited.delay > 0 else { return }
    air?.move(waited.ticks, by: waited.delay)
    try heardSound?.move(waited.ticks, by: waited.delay)
  }

  /// Also removes from the file what has not been played.
  package mutating func stop() {
    world.sitOut(.speaker)
    drop(at: present)
  }

  private mutating func drop(at instant: Instant) {
    guard let tick = playback?.drop(at: instant) else { return }
    air?.drop(fromTick: tick)
    // If the file cannot be truncated, it holds frames that were never played; a comparison shows them.
    do throws(DeviceFailure) { try heardSound?.drop(fromTick: tick) } catch {}
  }

  /// The file stays open, and later sound is appended to it.
  package mutating func close() {
    drop(at: present)
    playback = nil
  }

  /// The current time, which stands still while the card is stalled.
  private var present: Instant { world.instant(of: .speaker, at: world.now) }

  /// Frames not yet played when the card disappears are never played.
  /// - Returns: the card's current time.
  private mutating func requireCard() throws(DeviceFailure) -> Instant {
    guard let failure = world.failure(of: .speaker), let fault = world.fault(of: .speaker) else { return present }
    drop(at: world.start + fault.nanoseconds.lowerBound)
    playback = nil
    throw failure
  }

  private mutating func prepareFile() throws(DeviceFailure) {
    guard let name = settings.speakerFileName else { return }
    if heardSound?.holds(format) == true { return }
    heardSound = try SimHeardSound(name, in: settings.host.dataFolder, format: format)
  }
}

/// A file of raw samples, interleaved and little-endian: what a listener would have heard from the simulated speaker,
/// starting with the first frame. Silence is stored as zeros.
package struct SimHeardSound: ~Copyable {
  private var file: HostFile
  private let format: AudioFormat
  /// The crystal tick of the file's first frame; nil until something is played.
  private var firstTick: UInt64?

  /// Creates the file, and its folder if missing; an existing file is overwritten.
  /// - Parameter name: relative to `folder`, or absolute.
  init(_ name: FixedText<64>, in folder: FixedText<128>, format: AudioFormat) throws(DeviceFailure) {
    var storage = try FolderStorage(folder: folder)
    let path: FixedText<128> = "\(name)"
    try storage.replace(path, with: RawSpan())
    file = try storage.open(path)
    self.format = format
  }

  /// Whether frames of this format can be appended to the file.
  func holds(_ format: AudioFormat) -> Bool { self.format == format }

  /// Appends frames, the first of which is played at `tick`. They are in the file before they are played.
  mutating func append(_ frames: RawSpan, atTick tick: UInt64) throws(DeviceFailure) {
    let first = firstTick ?? tick
    firstTick = first
    try file.write(frames, at: (tick - first) * UInt64(format.bytesPerFrame))
  }

  /// Moves frames at the end of the file `delay` ticks later, with silence before them.
  mutating func move(_ ticks: Range<UInt64>, by delay: UInt64) throws(DeviceFailure) {
    guard let firstTick, ticks.lowerBound > firstTick else {
      self.firstTick = ticks.lowerBound + delay
      return
    }
    let start = (ticks.lowerBound - firstTick) * UInt64(format.bytesPerFrame)
    let gap = delay * UInt64(format.bytesPerFrame)
    var rest = UInt64(ticks.count * format.bytesPerFrame)
    while rest > 0 {
      let count = min(rest, UInt64(Self.pieceByteCount))
      rest -= count
      try copy(Int(count), from: start + rest, to: start + rest + gap)
    }
    while rest < gap {
      let count = min(gap - rest, UInt64(Self.pieceByteCount))
      try clear(Int(count), at: start + rest)
      rest += count
    }
  }

  private static var pieceByteCount: Int { 4096 }

  private mutating func copy(_ byteCount: Int, from source: UInt64, to target: UInt64) throws(DeviceFailure) {
    var piece = InlineArray<4096, UInt8>(repeating: 0)
    var span = piece.mutableSpan
    var bytes = unsafe span.mutableBytes
    guard try file.read(at: source, into: &bytes) >= byteCount else { return }
    try file.write(bytes.bytes.extracting(first: byteCount), at: target)
  }

  private mutating func clear(_ byteCount: Int, at offset: UInt64) throws(DeviceFailure) {
    let silence = InlineArray<4096, UInt8>(repeating: 0)
    let bytes = unsafe silence.span.bytes
    try file.write(bytes.extracting(first: byteCount), at: offset)
  }

  /// Removes the frames from `tick`: they were never played.
  mutating func drop(fromTick tick: UInt64) throws(DeviceFailure) {
    guard let firstTick else { return }
    try file.truncate(to: (tick - firstTick) * UInt64(format.bytesPerFrame))
  }
}
