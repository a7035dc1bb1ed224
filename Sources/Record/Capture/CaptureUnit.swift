import Base
import Machine
import Media

/// Microphone and camera, and the timeline on which both are placed.
package struct CaptureUnit: ~Copyable {
  private let place = StaysInPlace()
  package private(set) var audio: AudioCapture
  package var video: VideoCapture
  /// Whether the microphone delivers.
  package private(set) var microphone = DeviceState.closed
  /// Whether the camera delivers.
  package private(set) var camera = DeviceState.closed
  /// The microphone's format, in which the files are written too; nil while there is none.
  package private(set) var audioFormat: AudioFormat?
  /// The format of the camera's pictures; nil while there is none.
  package private(set) var videoFormat: VideoFormat?
  /// The format of a reopened camera's pictures, if their memory layout differs from ``videoFormat``. The encoder
  /// scales them.
  package private(set) var otherVideoFormat: VideoFormat?
  /// Whether a lost microphone came back with another format, which the files cannot hold.
  package private(set) var hasOtherSound = false
  /// Whether a lost camera came back with pictures that cannot be scaled to the take's size.
  package private(set) var hasOtherPictures = false
  /// The position at which the devices were last opened: they delivered nothing earlier.
  package private(set) var startPosition: TimelinePosition = 0
  /// Whether the camera is closed, or is being reopened, because no picture is wanted for a while.
  package private(set) var hasRestingCamera = false
  /// Whether every second picture is left out: at half the camera's rate, the others keep their timestamps.
  package var leavesOutPictures = false
  /// The zoom and what performs it.
  package var zoom: CameraZoom
  private var clock: SampleClock
  /// Read by the workers.
  package let timeline: Timeline
  private let limits: CaptureLimits

  /// Creates a unit with both devices closed.
  package init(
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

  /// The timeline's sample frames per second.
  package var timelineRateHz: UInt32 { audioFormat?.sampleRateHz ?? 48_000 }

  /// The deviation of the sound card's clock from the system's, in parts per million.
  package var driftPartsPerMillion: Double { clock.driftPartsPerMillion }

  /// Sample frames that the microphone has delivered since it was opened in excess of the time that passed.
  package var surplusFrameCount: UInt64 { clock.surplusFrameCount }

  /// The timeline position of an instant, never before ``startPosition``.
  package func position(at instant: Instant) -> TimelinePosition {
    max(clock.position(at: instant), startPosition)
  }

  /// The same, with a fraction.
  package func exactPosition(at instant: Instant) -> Double { clock.exactPosition(at: instant) }

  /// Starts with devices that have just been opened; nil for a missing one. The timeline continues after the last
  /// sample. Only at boot, or once the devices are closed and the rings empty.
  /// - Parameter maximumZoom: the camera's own maximum.
  package mutating func start(
    audioFormat: AudioFormat?, videoFormat: VideoFormat?, maximumZoom: Double?,
    at now: Instant
  ) {
    self.audioFormat = audioFormat
    self.videoFormat = videoFormat
    microphone = audioFormat == nil ? .closed : .running
    camera = videoFormat == nil ? .closed : .running
    hasRestingCamera = false
    otherVideoFormat = nil
    if let audioFormat { audio.setFormat(audioFormat) }
    audio.awaitDelivery(at: now)
    video.restart(videoFormat, at: now)
    zoom.start(cameraMaximum: maximumZoom)
    startPosition = audio.end
    clock = SampleClock(sampleRateHz: timelineRateHz, position: startPosition, at: now)
    timeline.publish(now: startPosition)
  }

  /// The peak levels of the first two channels in dBFS, -90…0, as on a peak meter.
  package mutating func readMeter(at now: Instant) -> InlineArray<2, Float> {
    audio.readMeter(at: now)
  }

  /// How often these channels' samples have reached full scale, counted once per ``readMeter(at:)``.
  package var clipCounts: InlineArray<2, UInt32> { audio.clipCounts }

  /// The sample ring's fill level in percent, including samples waiting for the card and the pre-roll.
  package var soundFillPercent: Int { audio.fillPercent }

  /// The meter readings of every channel, as of the last ``readMeter(at:)``.
  package var levels: SoundLevels { audio.levels }

  /// Restarts the clip counts of ``levels`` and the search for the lowest noise.
  package mutating func resetLevels() { audio.resetLevels() }

  /// Whether at least one of the two devices delivers.
  package var isDelivering: Bool { microphone == .running || camera == .running }

  /// Whether there are no pictures to take or to replace, and neither device is about to change state.
  package var isSteady: Bool {
    let hasSteadySound =
      switch microphone {
      case .closed, .running, .missing: true
      case .closing, .lost, .returning: false
      }
    return hasSteadySound && camera == .closed
  }

  /// Whether both devices are closed.
  package var isClosed: Bool { microphone == .closed && camera == .closed }

  /// Starts closing the devices: the microphone at the next step, the camera once all its buffers are back.
  package mutating func requestStop() {
    microphone = microphone.whenStopping
    camera = camera.whenStopping
    hasRestingCamera = false
  }

  /// Closes the camera for a while.
  package mutating func restCamera() {
    guard camera == .running, !video.stills.isBusy else { return }
    (camera, hasRestingCamera) = (.closing, true)
  }

  /// Has a resting camera reopened.
  package mutating func wakeCamera() {
    if hasRestingCamera, camera == .closed { camera = .missing }
  }

  /// A resting camera that does not come back is lost.
  /// - Returns: whether it has just become that.
  package mutating func missCamera() -> Bool {
    guard hasRestingCamera, camera.isLost else { return false }
    hasRestingCamera = false
    return true
  }

  /// Stops waiting for closing devices that do not come back from their workers. Nobody reads their memory any more.
  package mutating func abandonClosing(_ board: borrowing Hardware) {
    if microphone == .closing, board.microphone.isLent { microphone = .closed }
    if camera == .closing, board.camera.isLent || board.lens.isLent { camera = .closed }
  }

  /// Takes a bounded amount from both devices, and advances the timeline. A device lent to its worker is left alone.
  /// - Returns: the failures of devices that were lost in this step, which are not used again until they are reopened,
  ///   or of a camera that refuses to zoom.
  @export(interface)
  package mutating func step(
    _ board: inout Hardware, at now: Instant, counting losses: inout CaptureLosses
  ) -> (microphone: DeviceFailure?, camera: DeviceFailure?) {
    let failure = stepMicrophone(&board.microphone, at: now, counting: &losses)
    // The workers must not consider an instant complete before its pictures can have arrived.
    timeline.publish(now: max(clock.position(at: now.earlier(by: video.delayNanoseconds)), timeline.now))
    timeline.publish(driftPartsPerMillion: clock.driftPartsPerMillion)
    let isZooming = board.lens.isLent
    let cameraFailure = stepCamera(&board.camera, isZooming: isZooming, at: now, counting: &losses)
    let zoomFailure = isZooming ? nil : stepZoom(board.lens, zooming(board.camera), at: now)
    return (failure, cameraFailure ?? zoomFailure)
  }

  /// - Returns: why the camera refuses to zoom.
  private mutating func stepZoom<Zooming>(
    _ lens: borrowing SharedDevice<CameraLens<Zooming>>, _ zooming: Zooming?, at now: Instant
  ) -> DeviceFailure? {
    if let answer = lens.takeAnswer() {
      switch answer.result {
      case .done(let factor): zoom.noteSet(factor)
      case .failed(let failure):
        zoom.noteRefusal()
        return failure
      }
    }
    guard let zooming, let factor = zoom.factorToSet(at: now) else { return nil }
    lens.lend(CameraLens.Order(zooming, factor: factor))
    return nil
  }

  /// Nil if the camera cannot be zoomed now.
  private func zooming<Device: CameraDriver & ~Copyable>(_ shared: borrowing SharedDevice<Device>) -> Device.Zooming? {
    guard camera == .running || camera == .returning, !shared.isLent else { return nil }
    return shared.device.zooming
  }

  /// Has a lost microphone reopened. If its format is the same it continues once it delivers, with silence for the time
  /// in between.
  package func reopen(_ shared: borrowing SharedDevice<some MicrophoneDriver & ~Copyable>, _ request: SoundCardRequest)
  {
    if microphone == .missing, !shared.isLent { shared.lend(.open(request)) }
  }

  /// Has a lost camera reopened. It continues once it delivers, if its pictures can be shown in the take's size.
  package func reopen(_ shared: borrowing SharedDevice<some CameraDriver & ~Copyable>, _ request: CameraRequest) {
    if camera == .missing, !shared.isLent { shared.lend(.open(request)) }
  }

  private mutating func stepMicrophone(
    _ shared: inout SharedDevice<some MicrophoneDriver & ~Copyable>, at now: Instant,
    counting losses: inout CaptureLosses
  ) -> DeviceFailure? {
    guard microphone != .closed else { return nil }
    if let answer = shared.takeAnswer(), let failure = settle(answer, at: now) {
      losses.overrunCount += 1
      return failure
    }
    switch microphone {
    case .closed: break
    case .closing: if !shared.isLent { shared.lend(.close) }
    case .lost, .missing:
      if microphone == .lost, !shared.isLent { shared.lend(.close) }
      audio.fillSilence(upTo: clock.position(at: now), maximumFrames: limits.audioFramesPerTick)
    case .returning:
      do throws(DeviceFailure) { try awaitReturn(of: &shared, at: now) } catch { microphone = .lost }
    case .running:
      do throws(DeviceFailure) { try read(&shared, at: now, counting: &losses) } catch {
        microphone = .lost
        losses.overrunCount += 1
        return error
      }
    }
    return nil
  }

  private mutating func read(
    _ shared: inout SharedDevice<some MicrophoneDriver & ~Copyable>, at now: Instant,
    counting losses: inout CaptureLosses
  ) throws(DeviceFailure) {
    let patience = limits.microphonePatienceNanoseconds
    guard !shared.isLent else { return try audio.checkDelivery(patienceNanoseconds: patience, at: now) }
    try audio.step(
      from: &shared.device, maximumFrames: limits.audioFramesPerTick, patienceNanoseconds: patience, timedBy: &clock,
      at: now, counting: &losses)
    if audio.hasStopped { shared.lend(.restart) }
  }

  private mutating func awaitReturn(
    of shared: inout SharedDevice<some MicrophoneDriver & ~Copyable>, at now: Instant
  ) throws(DeviceFailure) {
    let patience = limits.microphonePatienceNanoseconds
    guard !shared.isLent else { return try audio.checkDelivery(patienceNanoseconds: patience, at: now) }
    let isBack = try audio.awaitReturn(of: &shared.device, patienceNanoseconds: patience, timedBy: clock, at: now)
    if isBack { microphone = .running } else if audio.hasStopped { shared.lend(.restart) }
  }

  /// Continues after the worker's result.
  /// - Returns: the failure through which the microphone is lost.
  private mutating func settle<Device: MicrophoneDriver & ~Copyable>(
    _ answer: DeviceAnswer<Device>, at now: Instant
  ) -> DeviceFailure? {
    switch (answer.order, answer.result) {
    case (.close, _): microphone = microphone.whenClosed
    case (.open, .done(let format)) where microphone == .missing:
      // Files hold one format: a card with another one is closed again.
      hasOtherSound = format != nil && format != audioFormat
      microphone = format == audioFormat ? .returning : .lost
      audio.awaitDelivery(at: now)
    case (.restart, .failed(let failure)) where microphone == .running:
      microphone = .lost
      return failure
    case (.open, _), (.restart, _): break
    }
    return nil
  }

  private mutating func stepCamera(
    _ shared: inout SharedDevice<some CameraDriver & ~Copyable>, isZooming: Bool, at now: Instant,
    counting losses: inout CaptureLosses
  ) -> DeviceFailure? {
    let failure = serveCamera(&shared, isZooming: isZooming, at: now, counting: &losses)
    if camera.isLost, !hasRestingCamera, let period = videoFormat?.frameRate.periodNanoseconds, period > 0 {
      video.standIn(
        upTo: now, periodNanoseconds: period, maximumPictures: limits.picturesPerTick, timedBy: clock)
    }
    return failure
  }

  /// - Parameter isZooming: whether the camera must stay open.
  private mutating func serveCamera(
    _ shared: inout SharedDevice<some CameraDriver & ~Copyable>, isZooming: Bool, at now: Instant,
    counting losses: inout CaptureLosses
  ) -> DeviceFailure? {
    guard camera != .closed else { return nil }
    if let answer = shared.takeAnswer() {
      settle(answer, maximumZoom: shared.device.maximumZoom, at: now)
      return nil
    }
    switch camera {
    case .closed, .missing: break
    case .closing, .lost: if video.hasAllBuffersBack(), !shared.isLent, !isZooming { shared.lend(.close) }
    case .running, .returning:
      do throws(DeviceFailure) { try read(&shared, at: now, counting: &losses) } catch {
        defer { camera = .lost }
        return camera == .returning ? nil : error
      }
    }
    return nil
  }

  private mutating func read(
    _ shared: inout SharedDevice<some CameraDriver & ~Copyable>, at now: Instant, counting losses: inout CaptureLosses
  ) throws(DeviceFailure) {
    let patience = limits.cameraPatienceNanoseconds
    guard !shared.isLent else { return try video.checkDelivery(patienceNanoseconds: patience, at: now) }
    let pictureCount = video.pictureCount
    let period = (otherVideoFormat ?? videoFormat)?.frameRate.periodNanoseconds ?? 0
    // Half a period of tolerance for uneven timestamps.
    let leastDistance = leavesOutPictures ? period + period / 2 : 0
    try video.step(
      from: &shared.device, maximumPictures: limits.picturesPerTick, patienceNanoseconds: patience, timedBy: clock,
      zoomedBy: zoom, apart: leastDistance, at: now, counting: &losses)
    if video.pictureCount > pictureCount { (camera, hasRestingCamera) = (.running, false) }
  }

  /// Continues after the worker's result.
  private mutating func settle<Device: CameraDriver & ~Copyable>(
    _ answer: DeviceAnswer<Device>, maximumZoom: Double?, at now: Instant
  ) {
    switch (answer.order, answer.result) {
    case (.close, _): camera = camera.whenClosed
    case (.open, .done(let format)) where camera == .missing:
      hasOtherPictures = !takes(format)
      camera = hasOtherPictures ? .lost : .returning
      video.resume(format, at: now)
      zoom.start(cameraMaximum: maximumZoom)
    case (.open, _): break
    }
  }

  /// Whether a reopened camera's pictures can be shown in the take's size.
  private mutating func takes(_ format: VideoFormat?) -> Bool {
    guard let format, let videoFormat else { return false }
    otherVideoFormat = format.hasLayout(of: videoFormat) ? nil : format
    return otherVideoFormat == nil || limits.scalesPictures && FormatChange.isPossible(from: format, to: videoFormat)
  }
}

/// The most that one tick of the loop takes from the devices.
package struct CaptureLimits: Sendable {
  /// Sample frames, including silence for lost ones; at least 1.
  package var audioFramesPerTick: Int
  /// Pictures; at least 1.
  package var picturesPerTick: Int
  /// A microphone that delivers nothing for longer than this is lost.
  package var microphonePatienceNanoseconds: UInt64
  /// A camera that delivers nothing for longer than this is lost.
  package var cameraPatienceNanoseconds: UInt64
  /// Whether a reopened camera may have another picture size. An encoder that reads the camera's own buffers accepts no
  /// other.
  package var scalesPictures: Bool

  package init(
    audioFramesPerTick: Int, picturesPerTick: Int, microphonePatienceNanoseconds: UInt64 = .max,
    cameraPatienceNanoseconds: UInt64 = .max, scalesPictures: Bool = false
  ) {
    self.audioFramesPerTick = audioFramesPerTick
    self.picturesPerTick = picturesPerTick
    self.microphonePatienceNanoseconds = microphonePatienceNanoseconds
    self.cameraPatienceNanoseconds = cameraPatienceNanoseconds
    self.scalesPictures = scalesPictures
  }
}

/// Whether a device delivers.
package enum DeviceState: UInt8, Sendable {
  case closed
  case running
  /// It will be closed as soon as no worker reads its memory any more.
  case closing
  /// It was running and has failed. It will be closed like ``closing``.
  case lost
  /// It was lost and is closed. It is reopened when possible.
  case missing
  /// It was reopened and has not delivered anything yet.
  case returning

  /// Whether it used to deliver and no longer does.
  package var isLost: Bool { self == .lost || self == .missing || self == .returning }

  /// The state after a request to stop. A missing device may be in the middle of opening.
  var whenStopping: DeviceState { self == .closed ? .closed : .closing }

  /// The state once its worker has closed it.
  var whenClosed: DeviceState {
    switch self {
    case .closing: .closed
    case .lost: .missing
    case .closed, .running, .missing, .returning: self
    }
  }
}

/// What was lost of the devices' output.
package struct CaptureLosses: BitwiseCopyable, Sendable {
  /// The number of the sound card's overruns.
  package var overrunCount: UInt64 = 0
  /// Frames that the sound card lost; the take has silence instead.
  package var frameCount: UInt64 = 0
  /// Pictures that the camera's driver skipped.
  package var pictureCount: UInt64 = 0
  /// Pictures that were deliberately left out.
  package var leftOutCount: UInt64 = 0

  package init() {}
}
