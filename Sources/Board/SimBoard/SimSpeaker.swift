import Port
import Posix
import Text
import Values

/// A sound card with a crystal and a buffer of its own. What it sounds goes to a file where the settings name one, so
/// that programs can listen to it.
package struct SimSpeaker: Speaker, ~Copyable {
  private let world: SimWorld
  private let settings: SimBoardSettings
  private var format: AudioFormat
  /// Nil while closed.
  private var playback: SimPlayback?
  /// Nil before the first opening, and where the settings name no file.
  private var heardSound: SimHeardSound?

  /// A card that is closed.
  package init(_ settings: SimBoardSettings, world: SimWorld) {
    self.world = world
    self.settings = settings
    format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  }

  /// Makes the settings' file when it is opened for the first time, or for another format; otherwise goes on in it.
  /// - Returns: what was asked for; 16 bits where no sample format was.
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    if let failure = world.failure(of: .speaker, request.deviceName, isOpening: true) { throw failure }
    format = AudioFormat(
      sampleRateHz: request.sampleRateHz, channelCount: request.channelCount,
      sampleFormat: request.sampleFormat ?? .int16)
    try prepareFile()
    playback = SimPlayback(
      timeline: SimTimeline(
        start: world.start, ticks: format.sampleRateHz,
        partsPerMillion: settings.speakerPartsPerMillion),
      bufferFrames: Int(UInt64(format.sampleRateHz) * UInt64(request.bufferMilliseconds) / 1000))
    return format
  }

  /// Exact to the nanosecond.
  package mutating func look() throws(DeviceFailure) -> SpeakerState {
    let now = try requireCard()
    guard let state = playback?.look(at: now) else { throw .notOpen(.speaker) }
    return state
  }

  /// Begins with the next tick of its crystal when it was still.
  package mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    let frameCount = frames.byteCount / format.bytesPerFrame
    let now = try requireCard()
    guard let taken = playback?.take(frameCount, at: now) else { throw .notOpen(.speaker) }
    guard taken.frameCount > 0 else { return 0 }
    try heardSound?.append(
      frames.extracting(first: taken.frameCount * format.bytesPerFrame), atTick: taken.firstTick)
    return taken.frameCount
  }

  /// Takes what has not sounded out of the file, too.
  package mutating func stop() { drop(at: present) }

  private mutating func drop(at instant: Instant) {
    guard let tick = playback?.drop(at: instant) else { return }
    // A file that cannot be cut off shows what never sounded: whoever compares it finds out.
    do throws(DeviceFailure) { try heardSound?.drop(fromTick: tick) } catch {}
  }

  /// The file stays open, and what sounds later goes on in it.
  package mutating func close() {
    stop()
    playback = nil
  }

  /// The present, which does not move on while the card is stalled.
  private var present: Instant { world.instant(of: .speaker, at: world.now) }

  /// What had not sounded when the card went away never does.
  /// - Returns: the present as the card sees it.
  private mutating func requireCard() throws(DeviceFailure) -> Instant {
    guard let failure = world.failure(of: .speaker), let fault = world.fault(of: .speaker)
    else { return present }
    drop(at: world.start + fault.nanoseconds.lowerBound)
    playback = nil
    throw failure
  }

  private mutating func prepareFile() throws(DeviceFailure) {
    guard let name = settings.speakerFileName else { return }
    if heardSound?.holds(format) == true { return }
    heardSound = try SimHeardSound(name, in: settings.dataFolder, format: format)
  }
}

/// A file of raw samples, interleaved and little-endian: what a listener at the simulated speaker would have heard from
/// the first frame on. Where it was still, there are zeros.
@usableFromInline struct SimHeardSound: ~Copyable {
  private var file: PosixFile
  private let format: AudioFormat
  /// The crystal's tick of the file's first frame; nil before anything sounded.
  private var firstTick: UInt64?

  /// Makes the file, and the folder when it is missing; what a file of that name held is lost.
  /// - Parameter name: relative to `folder`, or absolute.
  init(_ name: FixedText<64>, in folder: FixedText<128>, format: AudioFormat) throws(DeviceFailure) {
    var storage = try FolderStorage(folder: folder)
    let path: FixedText<128> = "\(name)"
    try storage.replace(path, with: RawSpan())
    file = try storage.open(path)
    self.format = format
  }

  /// Whether frames of this format can go on in the file.
  func holds(_ format: AudioFormat) -> Bool { self.format == format }

  /// Takes frames of which the first sounds at `tick`. They are in the file before they sound.
  mutating func append(_ frames: RawSpan, atTick tick: UInt64) throws(DeviceFailure) {
    let first = firstTick ?? tick
    firstTick = first
    try file.write(frames, at: (tick - first) * UInt64(format.bytesPerFrame))
  }

  /// Takes back the frames from `tick` on: they never sounded.
  mutating func drop(fromTick tick: UInt64) throws(DeviceFailure) {
    guard let firstTick else { return }
    try file.truncate(to: (tick - firstTick) * UInt64(format.bytesPerFrame))
  }
}
