import Imaging
import Port
import Rings
import Values

/// Microphone and camera, and the timeline on which both are placed.
public struct CaptureUnit: ~Copyable {
  /// Takes the samples.
  public private(set) var audio: AudioCapture
  /// Takes the pictures.
  public var video: VideoCapture
  /// Whether the microphone delivers.
  public private(set) var microphone = DeviceState.closed
  /// Whether the camera delivers.
  public private(set) var camera = DeviceState.closed
  /// The format in which the microphone delivers and the files are written; nil while there is none.
  public private(set) var audioFormat: AudioFormat?
  /// The format of the camera's pictures; nil while there is none.
  public private(set) var videoFormat: VideoFormat?
  /// The position at which the devices were opened last: nothing of theirs is earlier.
  public private(set) var startPosition: TimelinePosition = 0
  /// The zoom, and what performs it.
  public var zoom: CameraZoom
  private var clock: SampleClock
  /// Read by the workers.
  public let timeline: Timeline
  private let limits: CaptureLimits

  /// With both devices closed.
  public init(
    audio: consuming AudioCapture, video: consuming VideoCapture, zoom: CameraZoom, timeline: Timeline,
    limits: CaptureLimits
  ) {
    self.audio = audio
    self.video = video
    self.zoom = zoom
    self.timeline = timeline
    self.limits = limits
    clock = SampleClock(sampleRateHz: 48_000, at: 0)
  }

  /// Sample frames a second on the timeline.
  public var timelineRateHz: UInt32 { audioFormat?.sampleRateHz ?? 48_000 }

  /// How far the sound card's clock is from the system's, in parts per million.
  public var driftPartsPerMillion: Double { clock.driftPartsPerMillion }

  /// The timeline position of an instant, never before ``startPosition``.
  public func position(at instant: Instant) -> TimelinePosition {
    max(clock.position(at: instant), startPosition)
  }

  /// Starts with devices that have just been opened; nil for one that is missing. The timeline continues after the last
  /// sample. Only at boot, or once the devices are closed and the rings empty.
  /// - Parameter maximumZoom: the camera's own.
  public mutating func start(
    audioFormat: AudioFormat?, videoFormat: VideoFormat?, maximumZoom: Double?,
    at now: Instant
  ) {
    self.audioFormat = audioFormat
    self.videoFormat = videoFormat
    microphone = audioFormat == nil ? .closed : .running
    camera = videoFormat == nil ? .closed : .running
    if let audioFormat { audio.setFormat(audioFormat) }
    audio.awaitDelivery(at: now)
    video.restart(at: now)
    zoom.start(cameraMaximum: maximumZoom)
    startPosition = audio.end
    clock = SampleClock(sampleRateHz: timelineRateHz, position: startPosition, at: now)
    timeline.publish(now: startPosition)
  }

  /// The loudest of the first two channels, in dBFS, -90…0, as a peak meter shows it.
  public mutating func readMeter(at now: Instant) -> InlineArray<2, Float> {
    audio.readMeter(at: now)
  }

  /// Whether at least one of the two delivers.
  public var isDelivering: Bool { microphone == .running || camera == .running }

  /// Whether both devices are closed.
  public var isClosed: Bool { microphone == .closed && camera == .closed }

  /// Starts closing the devices: the microphone at the next step, the camera once all of its buffers are back.
  public mutating func requestStop() {
    microphone = microphone.whenStopping
    camera = camera.whenStopping
  }

  /// Takes a bounded amount from both, and advances the timeline.
  /// - Returns: the failure of a device that was lost in this step, which is not used again until it is reopened, or of
  ///   a camera that does not zoom.
  public mutating func step<Board: Hardware & ~Copyable>(
    _ board: inout Board, at now: Instant, counting losses: inout CaptureLosses
  ) -> DeviceFailure? {
    let failure = stepMicrophone(&board.microphone, at: now, counting: &losses)
    // The workers must not take what happened just now for complete before its pictures can have come.
    timeline.publish(now: max(clock.position(at: now.earlier(by: video.delayNanoseconds)), timeline.now))
    return stepCamera(&board.camera, at: now, counting: &losses) ?? failure
  }

  /// Opens a microphone that was lost again. With the same format it goes on as soon as it delivers: silence stands for
  /// the time in between.
  /// - Throws: why it cannot be opened.
  public mutating func reopen(
    _ device: inout some Microphone & ~Copyable, _ request: SoundCardRequest, at now: Instant
  ) throws(DeviceFailure) {
    guard microphone == .missing else { return }
    guard try device.open(request) == audioFormat else { return device.close() }
    audio.awaitDelivery(at: now)
    microphone = .returning
  }

  /// Opens a camera that was lost again. With the same format it goes on as soon as it delivers.
  /// - Returns: whether it was opened, with buffers of its own.
  /// - Throws: why it cannot be opened.
  public mutating func reopen(
    _ device: inout some Camera & ~Copyable, _ request: CameraRequest, at now: Instant
  ) throws(DeviceFailure) -> Bool {
    guard camera == .missing else { return false }
    guard try device.open(request) == videoFormat else {
      device.close()
      return false
    }
    video.resume(at: now)
    zoom.start(cameraMaximum: device.maximumZoom)
    camera = .returning
    return true
  }

  private mutating func stepMicrophone(
    _ device: inout some Microphone & ~Copyable, at now: Instant, counting losses: inout CaptureLosses
  ) -> DeviceFailure? {
    switch microphone {
    case .closed: return nil
    case .closing:
      device.close()
      microphone = .closed
      return nil
    case .lost, .missing:
      if microphone == .lost { device.close() }
      microphone = .missing
      audio.fillSilence(upTo: clock.position(at: now), maximumFrames: limits.audioFramesPerTick)
      return nil
    case .returning:
      do throws(DeviceFailure) {
        let isBack = try audio.awaitReturn(
          of: &device, patienceNanoseconds: limits.microphonePatienceNanoseconds, timedBy: clock, at: now)
        if isBack { microphone = .running }
      } catch {
        device.close()
        microphone = .missing
      }
      return nil
    case .running:
      do throws(DeviceFailure) {
        try audio.step(
          from: &device, maximumFrames: limits.audioFramesPerTick,
          patienceNanoseconds: limits.microphonePatienceNanoseconds, timedBy: &clock, at: now, counting: &losses)
        return nil
      } catch {
        microphone = .lost
        losses.overrunCount += 1
        return error
      }
    }
  }

  private mutating func stepCamera(
    _ device: inout some Camera & ~Copyable, at now: Instant, counting losses: inout CaptureLosses
  ) -> DeviceFailure? {
    if camera == .closing || camera == .lost, video.hasAllBuffersBack() {
      device.close()
      camera = camera == .lost ? .missing : .closed
    }
    guard camera == .running || camera == .returning else { return nil }
    let pictureCount = video.pictureCount
    do throws(DeviceFailure) {
      try video.step(
        from: &device, maximumPictures: limits.picturesPerTick,
        patienceNanoseconds: limits.cameraPatienceNanoseconds, timedBy: clock, zoomedBy: zoom, at: now,
        counting: &losses)
      if video.pictureCount > pictureCount { camera = .running }
      return zoom.drive(&device, at: now)
    } catch {
      defer { camera = .lost }
      return camera == .returning ? nil : error
    }
  }
}

/// The most that one tick of the loop takes from the devices.
public struct CaptureLimits: Sendable {
  /// Sample frames, including silence for lost ones; at least 1.
  public var audioFramesPerTick: Int
  /// Pictures; at least 1.
  public var picturesPerTick: Int
  /// A microphone that delivers nothing for longer is lost.
  public var microphonePatienceNanoseconds: UInt64
  /// A camera that delivers nothing for longer is lost.
  public var cameraPatienceNanoseconds: UInt64

  package init(
    audioFramesPerTick: Int, picturesPerTick: Int, microphonePatienceNanoseconds: UInt64 = .max,
    cameraPatienceNanoseconds: UInt64 = .max
  ) {
    self.audioFramesPerTick = audioFramesPerTick
    self.picturesPerTick = picturesPerTick
    self.microphonePatienceNanoseconds = microphonePatienceNanoseconds
    self.cameraPatienceNanoseconds = cameraPatienceNanoseconds
  }
}

/// Whether a device delivers.
public enum DeviceState: UInt8, Sendable {
  case closed
  case running
  /// It will be closed as soon as no worker reads its memory any more.
  case closing
  /// It ran, and has failed since. It will be closed as ``closing`` is.
  case lost
  /// It was lost and is closed. It is opened again when it can be.
  case missing

  /// It was opened again and has not delivered anything yet.
  case returning

  /// Whether it delivered once and does not now.
  public var isLost: Bool { self == .lost || self == .missing || self == .returning }

  /// The state after a request to stop.
  var whenStopping: DeviceState { self == .closed || self == .missing ? .closed : .closing }
}

/// What was lost of the devices' output.
public struct CaptureLosses: BitwiseCopyable, Sendable {
  /// How often the sound card overran.
  public var overrunCount: UInt64 = 0
  /// Frames that the sound card lost; they are silence in the take.
  public var frameCount: UInt64 = 0
  /// Pictures that the camera's driver skipped.
  public var pictureCount: UInt64 = 0

  package init() {}
}
