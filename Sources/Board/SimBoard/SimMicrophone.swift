import Port
import Values
import Text

/// A sound card that hears ``SimSound``, with a crystal and a buffer of its own: what is not fetched in time is lost.
public struct SimMicrophone: Microphone, ~Copyable {
  private struct Capture {
    /// The oldest sample frame that has not been read.
    var nextFrame: UInt64
    let bufferFrames: UInt64
  }

  private let world: SimWorld
  private let isPresent: Bool
  private let format: AudioFormat
  private let sound: SimSound
  private let timeline: SimTimeline
  /// Nil while closed.
  private var capture: Capture?

  /// A card that is closed; it hears the world from `world`'s start on.
  public init(_ settings: SimBoardSettings, world: SimWorld) {
    self.world = world
    isPresent = settings.hasMicrophone
    format = settings.audioFormat
    sound = SimSound(
      seed: settings.seed, worldStartNanoseconds: world.startNanoseconds, sampleRateHz: format.sampleRateHz,
      partsPerMillion: settings.microphonePartsPerMillion)
    timeline = SimTimeline(
      startNanoseconds: world.startNanoseconds, ticks: format.sampleRateHz,
      partsPerMillion: settings.microphonePartsPerMillion)
  }

  /// Starts sampling now.
  /// - Returns: the one format that the settings give it, whatever is asked.
  public mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    guard isPresent else {
      throw DeviceFailure(
        device: .microphone, kind: .absent, subject: request.deviceName, problem: "is not on the simulated board",
        remedy: "takes are recorded without sound")
    }
    capture = Capture(
      nextFrame: timeline.firstTick(atNanoseconds: world.nowNanoseconds),
      bufferFrames: UInt64(format.sampleRateHz) * UInt64(request.bufferMilliseconds) / 1000)
    return format
  }

  /// Makes the samples up as they are fetched.
  public mutating func read(into room: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    guard var capture else {
      throw DeviceFailure(
        device: .microphone, kind: .absent, subject: "", problem: "is not open", remedy: "open it first")
    }
    let end = max(capture.nextFrame, timeline.lastTick(atNanoseconds: world.nowNanoseconds))
    let waiting = end - capture.nextFrame
    let lost = waiting > capture.bufferFrames ? waiting - capture.bufferFrames : 0
    capture.nextFrame += lost
    let frameCount = lost > 0 ? 0 : min(Int(waiting), room.byteCount / format.bytesPerFrame)
    sound.write(frameCount: frameCount, from: capture.nextFrame, as: format, into: &room)
    capture.nextFrame += UInt64(frameCount)
    self.capture = capture
    return MicrophoneRead(
      frameCount: frameCount, lostFrameCount: Int(lost),
      endMonotonicNanoseconds: timeline.instant(of: capture.nextFrame))
  }

  /// Stops sampling; what was not fetched is gone.
  public mutating func close() { capture = nil }
}
