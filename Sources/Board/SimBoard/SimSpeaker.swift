import Port
import Values
import Text

/// A sound card with a crystal and a buffer of its own. What it sounds goes to a file where the settings name one, so
/// that programs can listen to it.
public struct SimSpeaker: Speaker, ~Copyable {
  private let world: SimWorld
  private let settings: SimBoardSettings
  private var isPresent: Bool
  /// Whether another program has the card.
  private var isHeld = false
  private var format: AudioFormat
  /// Nil while closed.
  private var playback: SimPlayback?
  /// Nil before the first opening, and where the settings name no file.
  private var heardSound: SimHeardSound?

  /// A card that is closed.
  public init(_ settings: SimBoardSettings, world: SimWorld) {
    self.world = world
    self.settings = settings
    isPresent = settings.hasSpeaker
    format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  }

  /// Makes the settings' file when it is opened for the first time, or for another format; otherwise goes on in it.
  /// - Returns: what was asked for; 16 bits where no sample format was.
  public mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    guard isPresent else {
      throw failure(.absent, request.deviceName, "is not on the simulated board", "nothing sounds")
    }
    guard !isHeld else {
      throw failure(.busy, request.deviceName, "cannot be opened", "end the program that holds it")
    }
    format = AudioFormat(
      sampleRateHz: request.sampleRateHz, channelCount: request.channelCount,
      sampleFormat: request.sampleFormat ?? .int16)
    try prepareFile()
    playback = SimPlayback(
      timeline: SimTimeline(
        startNanoseconds: world.startNanoseconds, ticks: format.sampleRateHz,
        partsPerMillion: settings.speakerPartsPerMillion),
      bufferFrames: Int(UInt64(format.sampleRateHz) * UInt64(request.bufferMilliseconds) / 1000))
    return format
  }

  /// Exact to the nanosecond.
  public mutating func look() throws(DeviceFailure) -> SpeakerState {
    guard let state = playback?.look(atNanoseconds: world.nowNanoseconds) else { throw notOpen }
    return state
  }

  /// Begins with the next tick of its crystal when it was still.
  public mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    let frameCount = frames.byteCount / format.bytesPerFrame
    guard let taken = playback?.take(frameCount, atNanoseconds: world.nowNanoseconds) else { throw notOpen }
    guard taken.frameCount > 0 else { return 0 }
    try heardSound?.append(
      frames.extracting(first: taken.frameCount * format.bytesPerFrame), atTick: taken.firstTick)
    return taken.frameCount
  }

  /// Takes what has not sounded out of the file, too.
  public mutating func stop() {
    guard let tick = playback?.drop(atNanoseconds: world.nowNanoseconds) else { return }
    // A file that cannot be cut off shows what never sounded: whoever compares it finds out.
    do throws(DeviceFailure) { try heardSound?.drop(fromTick: tick) } catch {}
  }

  /// The file stays open, and what sounds later goes on in it.
  public mutating func close() {
    stop()
    playback = nil
  }

  /// Pulls the card's plug.
  public mutating func unplug() {
    isPresent = false
    close()
  }

  /// Puts it back in; it is to be opened anew.
  public mutating func plug() { isPresent = true }

  /// Another program takes the card.
  public mutating func hold() {
    isHeld = true
    close()
  }

  /// The other program gives it back; it is to be opened anew.
  public mutating func release() { isHeld = false }

  private mutating func prepareFile() throws(DeviceFailure) {
    guard let name = settings.speakerFileName else { return }
    if heardSound?.holds(format) == true { return }
    heardSound = try SimHeardSound(name, in: settings.dataFolder, format: format)
  }

  private var notOpen: DeviceFailure {
    failure(.absent, "", isPresent && !isHeld ? "is not open" : "was taken away", "plug it in, and open it anew")
  }

  private func failure(
    _ kind: DeviceFailure.Kind, _ subject: FixedText<64>, _ problem: StaticString, _ remedy: StaticString
  ) -> DeviceFailure {
    DeviceFailure(device: .speaker, kind: kind, subject: subject, problem: problem, remedy: remedy)
  }
}
