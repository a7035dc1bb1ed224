import Base
import Machine
import Media

/// Takes filled buffers from the camera, stamps them with their timeline position and zoom factor, and passes them by
/// index to the encoder, and some also to the still worker and to the live views' encoder. Buffers that all of them
/// have returned go back to the camera.
package struct VideoCapture: ~Copyable {
  /// Passes pictures to the still worker.
  package var stills: StillCapture
  /// Passes pictures to the live views' encoder; nil if the views read the picture ring.
  package var views: ViewCapture?
  private var pictures: QueueProducer<RawPicture>
  private var emptied: QueueConsumer<UInt16>
  /// How many workers hold each buffer, and the stand-ins.
  private var holderCounts = InlineArray<9, UInt8>(repeating: 0)
  private var nextSequence: UInt32?
  /// The next picture's position is not before this one.
  private var nextPosition: TimelinePosition = 0
  private var lentBufferCount = 0
  /// The latency of the pictures' timestamps.
  private let offsetNanoseconds: Int
  /// Earlier events are not on the timeline.
  private var firstEvent: Instant = 0
  /// When the camera last delivered a picture, or had no buffer for one.
  private var lastDelivery: Instant = 0
  private var watch = PictureWatch()
  private var instants = PictureInstants()
  /// The instant of the last picture passed on.
  private var lastExposure: Instant = 0
  /// The end of the last stand-in; 0 after a picture from the camera.
  private var standInEnd: Instant = 0
  /// Size of a stand-in for the camera's pictures; 0 if there is none.
  private let standInByteCount: Int
  /// The fill level of the queue to the encoder.
  package var queueLevel: RingLevel { pictures.level }
  /// Pictures passed on since boot.
  package private(set) var pictureCount: UInt64 = 0

  /// - Parameters:
  ///   - pictures: to the encoder; has room for as many as the camera has buffers.
  ///   - emptied: from the encoder: the indices of buffers that it no longer needs.
  ///   - stills: the same for the still worker.
  ///   - views: the same for the live views' encoder.
  ///   - offsetMilliseconds: the latency of the pictures' timestamps: pictures are placed that much earlier, or later
  ///     if it is negative.
  ///   - standInByteCount: size of a stand-in for the camera's pictures while it is lost; 0 if there is none.
  package init(
    pictures: consuming QueueProducer<RawPicture>, emptied: consuming QueueConsumer<UInt16>,
    stills: consuming StillCapture, views: consuming ViewCapture? = nil, offsetMilliseconds: Int = 0,
    standInByteCount: Int = 0
  ) {
    self.pictures = pictures
    self.emptied = emptied
    self.stills = stills
    self.views = views
    offsetNanoseconds = offsetMilliseconds * 1_000_000
    self.standInByteCount = standInByteCount
  }

  /// What is wrong with the camera's pictures.
  package var trouble: PictureTrouble? { watch.trouble }

  /// The trouble that has lasted for `nanoseconds`.
  package func trouble(lastingNanoseconds nanoseconds: UInt64) -> PictureTrouble? {
    watch.trouble(lastingNanoseconds: nanoseconds)
  }

  /// How long after an event its picture can still arrive.
  var delayNanoseconds: UInt64 { UInt64(max(offsetNanoseconds, 0)) }

  /// Returns empty buffers to the camera and takes at most `maximumPictures` filled ones.
  /// - Parameters:
  ///   - patienceNanoseconds: how long the camera may deliver nothing.
  ///   - leastDistance: a picture fewer nanoseconds after the last one is left out; 0 keeps all.
  /// - Throws: if the camera fails, or has delivered nothing for that long.
  package mutating func step(
    from camera: inout some CameraDriver & ~Copyable, maximumPictures: Int, patienceNanoseconds: UInt64 = .max,
    timedBy clock: borrowing SampleClock, zoomedBy zoom: CameraZoom, apart leastDistance: UInt64 = 0,
    at now: Instant = 0, counting losses: inout CaptureLosses
  ) throws(DeviceFailure) {
    while let index = takeEmptied() { try camera.requeue(bufferIndex: Int(index)) }
    for _ in 0..<maximumPictures {
      guard !pictures.isFull, lentBufferCount < camera.bufferCount else { return lastDelivery = now }
      guard var frame = try camera.dequeue() else {
        instants.noteEmpty(at: now)
        return try checkDelivery(patienceNanoseconds: patienceNanoseconds, at: now)
      }
      lastDelivery = now
      frame.instant = instants.instant(of: frame.instant, at: now)
      look(at: frame, of: camera)
      // A picture from before the timeline began has no position on it, and a picture must not overlap a stand-in.
      guard frame.instant >= max(firstEvent.later(by: delayNanoseconds), standInEnd) else {
        nextSequence = nil
        try camera.requeue(bufferIndex: frame.bufferIndex)
        continue
      }
      countGap(before: frame.sequence, counting: &losses)
      guard frame.instant >= lastExposure + leastDistance || leastDistance == 0 else {
        losses.leftOutCount += 1
        try camera.requeue(bufferIndex: frame.bufferIndex)
        continue
      }
      pass(
        frame, at: clock.position(at: frame.instant.advanced(by: -offsetNanoseconds)),
        zoomFactor: zoom.factorToApply(at: frame.instant))
    }
  }

  /// While the camera is lost, passes on stand-ins at its picture rate.
  ///
  /// At a lower rate, the end of a take would have to lengthen the last of them in data that is already written, an
  /// editor would see the rate change, and a fragment would wait for a picture that never comes. Each stand-in costs a
  /// copy of a few kilobytes.
  /// - Parameter periodNanoseconds: from one picture to the next; 1 or more.
  mutating func standIn(
    upTo now: Instant, periodNanoseconds: UInt64, maximumPictures: Int, timedBy clock: borrowing SampleClock
  ) {
    // Nothing else takes the buffers back meanwhile.
    _ = hasAllBuffersBack()
    guard standInByteCount > 0 else { return }
    let end = now.earlier(by: PictureLimits.standInDelayNanoseconds)
    // The camera's last picture is shown until it was known to be the last.
    let isFirst = standInEnd == 0
    var next = max(lastExposure + periodNanoseconds, isFirst ? max(end, firstEvent) : 0)
    for _ in 0..<maximumPictures where next <= end {
      guard !pictures.isFull, holderCounts[CameraBuffers.standInIndex] < CameraBuffers.standInCount else { return }
      passStandIn(of: next, at: clock.position(at: next.advanced(by: -offsetNanoseconds)))
      standInEnd = next + periodNanoseconds / 2
      next = next + periodNanoseconds
    }
  }

  private mutating func look(at frame: CameraFrame, of camera: borrowing some CameraDriver & ~Copyable) {
    let memory = unsafe camera.bufferMemory(at: frame.bufferIndex)
    guard frame.byteCount <= memory.count else { return }
    // Safe: the buffer belongs to the loop until it is passed on or returned.
    let picture = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<frame.byteCount]))
    watch.see(picture, at: frame.instant)
  }

  /// - Throws: if the camera has delivered nothing for that long.
  func checkDelivery(patienceNanoseconds: UInt64, at now: Instant) throws(DeviceFailure) {
    guard now.distance(since: lastDelivery) >= patienceNanoseconds else { return }
    throw DeviceFailure(
      device: .camera, kind: .failed, subject: "", problem: "no longer sends frames",
      remedy: "it is reopened automatically; if that does not help, check its cable")
  }

  /// Whether all workers have returned their buffers, which no longer go back to the camera.
  package mutating func hasAllBuffersBack() -> Bool {
    while takeEmptied() != nil {}
    return lentBufferCount == 0
  }

  private mutating func takeEmptied() -> UInt16? {
    while let index = emptied.pop() ?? stills.takeEmptied() ?? views?.takeEmptied() {
      holderCounts[Int(index)] -= 1
      guard holderCounts[Int(index)] == 0, index != CameraBuffers.standInIndex else { continue }
      lentBufferCount -= 1
      return index
    }
    return nil
  }

  /// Forgets the camera's sequence count and earlier pictures, for a camera reopened with an empty ring.
  package mutating func restart(_ format: VideoFormat? = nil, at now: Instant) {
    resume(format, at: now)
    nextPosition = 0
    // A camera that was opened before the microphone has filled its buffers meanwhile.
    firstEvent = now
    standInEnd = 0
  }

  /// Forgets the camera's sequence count, for a camera reopened during recording.
  /// - Parameter format: of its pictures.
  mutating func resume(_ format: VideoFormat?, at now: Instant) {
    nextSequence = nil
    lastDelivery = now
    watch.start(format)
    instants = PictureInstants()
  }

  private mutating func pass(
    _ frame: CameraFrame, at position: TimelinePosition, zoomFactor: Double
  ) {
    // If a camera repeats a timestamp, its two pictures must not get the same position.
    let position = max(position, nextPosition)
    lentBufferCount += 1
    standInEnd = 0
    let header = PictureHeader(
      samplePosition: position, instant: frame.instant, cameraSequence: frame.sequence)
    let picture = RawPicture(
      bufferIndex: UInt16(frame.bufferIndex), byteCount: frame.byteCount, header: header, zoomFactor: zoomFactor)
    pass(picture)
    if stills.take(picture) { holderCounts[frame.bufferIndex] += 1 }
  }

  private mutating func passStandIn(of instant: Instant, at position: TimelinePosition) {
    let header = PictureHeader(
      samplePosition: max(position, nextPosition), instant: instant, cameraSequence: 0, isStandIn: true)
    pass(
      RawPicture(bufferIndex: UInt16(CameraBuffers.standInIndex), byteCount: standInByteCount, header: header))
  }

  /// Passes a picture to the encoder, and to that of the views.
  private mutating func pass(_ picture: RawPicture) {
    nextPosition = picture.header.samplePosition + 1
    lastExposure = picture.header.instant
    pictureCount += 1
    let isPassed = pictures.push(picture)
    precondition(isPassed, "the queue to the encoder holds every buffer of the camera")
    holderCounts[Int(picture.bufferIndex)] += views?.take(picture) == true ? 2 : 1
  }

  private mutating func countGap(before sequence: UInt32, counting losses: inout CaptureLosses) {
    // The count may wrap. If it goes back, the driver has restarted it and nothing was dropped.
    if let expected = nextSequence, let gap = UInt64(exactly: Int32(bitPattern: sequence &- expected)), gap > 0 {
      losses.pictureCount += gap
    }
    nextSequence = sequence &+ 1
  }
}

/// The zoom and what performs it: the camera if it can, because it may have more pixels than it delivers; otherwise the
/// encoder.
package struct CameraZoom: Sendable {
  /// The zoom factor over time.
  package var motion: Zoom
  private let configuredMaximum: Double
  private var place = ZoomPlace.recorder(cameraFactor: 1)

  /// - Parameter motion: its maximum is the configured one.
  package init(_ motion: Zoom) {
    self.motion = motion
    configuredMaximum = motion.maximum
  }

  /// Starts with a camera that was just opened, whatever its present factor.
  /// - Parameter cameraMaximum: the camera's largest factor; nil if it cannot zoom.
  mutating func start(cameraMaximum: Double?) {
    guard let cameraMaximum, cameraMaximum > 1, cameraMaximum.isFinite else {
      place = .recorder(cameraFactor: 1)
      return motion.limit(to: configuredMaximum)
    }
    place = .camera(factor: nil)
    motion.limit(to: min(configuredMaximum, cameraMaximum))
  }

  /// The factor to which a zooming camera must be set now; nil if there is nothing to set.
  func factorToSet(at now: Instant) -> Double? {
    let factor = motion.factor(at: now)
    guard case .camera(let present) = place, factor != present else { return nil }
    return factor
  }

  /// Notes that the camera was set to `factor`.
  mutating func noteSet(_ factor: Double) {
    if case .camera = place { place = .camera(factor: factor) }
  }

  /// Notes that the camera refuses to zoom: from now on the recorder supplies the rest of the factor, and the camera is
  /// not asked again.
  mutating func noteRefusal() {
    if case .camera(let present) = place { place = .recorder(cameraFactor: present ?? 1) }
  }

  /// The factor that the encoder applies to a picture exposed at this instant: 1 or more.
  func factorToApply(at instant: Instant) -> Double {
    switch place {
    case .recorder(let cameraFactor): max(motion.factor(at: instant) / cameraFactor, 1)
    case .camera: 1
    }
  }
}

/// What performs the zoom.
enum ZoomPlace: Equatable, Sendable {
  /// The recorder, on top of the camera's fixed factor, which is 1 if it cannot zoom.
  case recorder(cameraFactor: Double)
  /// The camera, last set to this factor; nil before the first time.
  case camera(factor: Double?)
}
