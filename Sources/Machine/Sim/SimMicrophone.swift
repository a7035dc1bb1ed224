import Base

/// A sound card that hears ``SimSound``, with its own crystal and buffer: sound that is not read in time is lost.
package struct SimMicrophone: MicrophoneDriver, ~Copyable {
  private struct Capture {
    /// The oldest sample frame not yet read.
    var nextFrame: UInt64
    let bufferFrames: UInt64
    /// The end of the buffered frames when the buffer overflowed; nil once they have been read.
    var overflowEnd: UInt64?
    /// Whether the card has stopped by itself.
    var hasStopped = false
    /// The start of the fault that stopped it last.
    var lastStop: UInt64?
    /// Whether the waiting frames were delivered once and will be delivered again.
    var repeats = false
    /// Frames lost up to the restart, still to be reported.
    var lostFrames: UInt64 = 0

    mutating func takeLostFrames() -> UInt64 {
      defer { lostFrames = 0 }
      return lostFrames
    }
  }

  private let world: SimWorld
  private let settings: SimSettings
  /// The path from the speaker; nil if the speaker is not heard.
  private let air: SimAir?
  /// The format agreed when it was opened.
  private var format: AudioFormat
  private var sound: SimSound
  private var timeline: SimTimeline
  /// Nil while closed.
  private var capture: Capture?

  /// A closed card; it hears the world from the start of `world`.
  package init(_ settings: SimSettings, world: SimWorld) { self.init(settings, world: world, air: nil) }

  init(_ settings: SimSettings, world: SimWorld, air: SimAir?) {
    self.world = world
    self.settings = settings
    self.air = air
    format = settings.audioFormat
    sound = Self.sound(settings, world, format)
    timeline = Self.timeline(settings, world, format)
  }

  private static func sound(_ settings: SimSettings, _ world: SimWorld, _ format: AudioFormat) -> SimSound {
    SimSound(
      seed: settings.seed, worldStart: world.start, sampleRateHz: format.sampleRateHz,
      partsPerMillion: settings.microphonePartsPerMillion, hasClicks: settings.hasClicks)
  }

  private static func timeline(_ settings: SimSettings, _ world: SimWorld, _ format: AudioFormat) -> SimTimeline {
    SimTimeline(start: world.start, ticks: format.sampleRateHz, partsPerMillion: settings.microphonePartsPerMillion)
  }

  /// Starts sampling now.
  /// - Returns: the configured format, whatever is requested; twice its rate while it is ``Fault/Kind/changed``.
  @export(interface)
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    world.sitOut(.microphone)
    if let failure = world.failure(of: .microphone, request.deviceName, isOpening: true) { throw failure }
    format = settings.audioFormat
    if world.fault(of: .microphone)?.kind == .changed { format.sampleRateHz *= 2 }
    sound = Self.sound(settings, world, format)
    timeline = Self.timeline(settings, world, format)
    capture = Capture(
      nextFrame: timeline.firstTick(at: world.now),
      bufferFrames: UInt64(format.sampleRateHz) * UInt64(request.bufferMilliseconds) / 1000)
    return format
  }

  /// Generates the samples as they are read. Samples from a stall are delivered after it, as far as the buffer holds
  /// them.
  package mutating func read(into space: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    if let failure = world.failure(of: .microphone) {
      capture = nil
      // An unplugged card has forgotten its gain.
      if failure.kind == .absent { world.gainDoublings = 0 }
      throw failure
    }
    guard var capture else { throw .notOpen(.microphone) }
    let now = world.instant(of: .microphone, at: world.now)
    stopByFault(&capture)
    guard !capture.hasStopped, capture.lostFrames == 0 else {
      defer { self.capture = capture }
      return MicrophoneRead(
        frameCount: 0, lostFrameCount: Int(capture.takeLostFrames()),
        endInstant: timeline.instant(of: capture.nextFrame), hasStopped: capture.hasStopped)
    }
    if world.fault(of: .microphone)?.kind == .losing { capture.nextFrame = timeline.lastTick(at: now) }
    let end = max(capture.nextFrame, capture.overflowEnd ?? timeline.lastTick(at: now))
    let waiting = end - capture.nextFrame
    let lost = waiting > capture.bufferFrames ? waiting - capture.bufferFrames : 0
    if lost > 0 { capture.overflowEnd = end }
    capture.nextFrame += lost
    let frameCount = lost > 0 ? 0 : min(Int(waiting), space.byteCount / format.bytesPerFrame)
    sound.write(
      frameCount: frameCount, from: capture.nextFrame, as: format, amplifiedBy: amplification, into: &space
    ) { [air, timeline, calls = settings.calls, start = world.start] frame in
      let instant = timeline.instant(of: frame)
      return (air?.sample(at: instant) ?? 0) + calls.sample(atNanoseconds: instant.distance(since: start))
    }
    corruptByFault(frameCount: frameCount, from: capture.nextFrame, in: &space)
    let readEnd = capture.nextFrame + UInt64(frameCount)
    if !repeatsByFault(&capture) { capture.nextFrame = readEnd }
    if capture.nextFrame == capture.overflowEnd { capture.overflowEnd = nil }
    self.capture = capture
    return MicrophoneRead(frameCount: frameCount, lostFrameCount: Int(lost), endInstant: timeline.instant(of: readEnd))
  }

  package var bufferNanoseconds: UInt64 {
    (capture?.bufferFrames ?? 0) * 1_000_000_000 / UInt64(format.sampleRateHz)
  }

  /// Frames sampled since the card stopped are lost.
  package mutating func restart() throws(DeviceFailure) {
    world.sitOut(.microphone)
    guard let start = capture?.nextFrame else { throw .notOpen(.microphone) }
    let end = max(start, timeline.lastTick(at: world.now))
    capture?.lostFrames = end - start
    capture?.nextFrame = end
    capture?.hasStopped = false
  }

  private var amplification: Int64 {
    switch world.fault(of: .microphone)?.kind {
    case .dead: 0
    // Three quarters of the noise is then at full scale.
    case .clipping: 4_096
    default: 1 << world.gainDoublings
    }
  }

  private func corruptByFault(frameCount: Int, from frame: UInt64, in space: inout MutableRawSpan) {
    guard world.fault(of: .microphone)?.kind == .corrupt else { return }
    for offset in 0..<frameCount * format.bytesPerFrame {
      let bits = world.nonsense(frame << 8 &+ UInt64(offset))
      space.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Whether the frames just read are delivered once more.
  private func repeatsByFault(_ capture: inout Capture) -> Bool {
    capture.repeats = !capture.repeats && world.fault(of: .microphone)?.kind == .doubling
    return capture.repeats
  }

  private func stopByFault(_ capture: inout Capture) {
    guard let fault = world.fault(of: .microphone), fault.kind == .stopping,
      capture.lastStop != fault.nanoseconds.lowerBound
    else { return }
    capture.lastStop = fault.nanoseconds.lowerBound
    capture.hasStopped = true
  }

  /// Stops sampling; unread frames are lost.
  package mutating func close() {
    world.sitOut(.microphone)
    capture = nil
  }
}
