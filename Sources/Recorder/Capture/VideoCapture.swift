import Encode
import Port
import Rings
import Stills
import Text
import Values

/// Takes filled buffers from the camera, stamps them with their position on the timeline and their zoom factor, and
/// passes them by index to the encoder, and some also to the still worker and to the live views' encoder. Buffers that
/// all have returned go back to the camera.
public struct VideoCapture: ~Copyable {
  /// Passes pictures to the still worker.
  public var stills: StillCapture
  /// Passes pictures to the live views' encoder; nil where the views read the picture ring.
  public var views: ViewCapture?
  private var pictures: QueueProducer<RawPicture>
  private var emptied: QueueConsumer<UInt16>
  /// How many workers hold each buffer.
  private var holderCounts = InlineArray<8, UInt8>(repeating: 0)
  private var nextSequence: UInt32?
  /// The next picture's position is not before this.
  private var nextPosition: TimelinePosition = 0
  private var lentBufferCount = 0
  /// How much later than what they show pictures are stamped.
  private let offsetNanoseconds: Int
  /// What happened before is not on the timeline.
  private var firstEvent: Instant = 0
  /// When the camera last delivered a picture, or had no buffer for one.
  private var lastDelivery: Instant = 0
  /// Pictures passed on since boot.
  public private(set) var pictureCount: UInt64 = 0

  /// - Parameters:
  ///   - pictures: to the encoder; holds as many as the camera has buffers.
  ///   - emptied: from the encoder, the indices of buffers it is done with.
  ///   - stills: the same for the still worker.
  ///   - views: the same for the live views' encoder.
  ///   - offsetMilliseconds: how much later than what they show pictures are stamped: they are placed that much earlier,
  ///     or later if it is negative.
  public init(
    pictures: consuming QueueProducer<RawPicture>, emptied: consuming QueueConsumer<UInt16>,
    stills: consuming StillCapture, views: consuming ViewCapture? = nil, offsetMilliseconds: Int = 0
  ) {
    self.pictures = pictures
    self.emptied = emptied
    self.stills = stills
    self.views = views
    offsetNanoseconds = offsetMilliseconds * 1_000_000
  }

  /// How long after an event its picture can still come.
  var delayNanoseconds: UInt64 { UInt64(max(offsetNanoseconds, 0)) }

  /// Gives empty buffers back and takes at most `maximumPictures` filled ones.
  /// - Parameter patienceNanoseconds: how long the camera may deliver nothing.
  /// - Throws: when the camera fails, or has delivered nothing for that long.
  public mutating func step(
    from camera: inout some Camera & ~Copyable, maximumPictures: Int, patienceNanoseconds: UInt64 = .max,
    timedBy clock: borrowing SampleClock, zoomedBy zoom: CameraZoom, at now: Instant = 0,
    counting losses: inout CaptureLosses
  ) throws(DeviceFailure) {
    while let index = takeEmptied() { try camera.requeue(bufferIndex: Int(index)) }
    for _ in 0..<maximumPictures {
      guard !pictures.isFull, lentBufferCount < camera.bufferCount else { return lastDelivery = now }
      guard let frame = try camera.dequeue() else {
        return try checkDelivery(patienceNanoseconds: patienceNanoseconds, at: now)
      }
      lastDelivery = now
      // A picture of what happened before the timeline began has no position on it.
      guard frame.instant >= firstEvent.later(by: delayNanoseconds) else {
        nextSequence = nil
        try camera.requeue(bufferIndex: frame.bufferIndex)
        continue
      }
      pass(
        frame, at: clock.position(at: frame.instant.advanced(by: -offsetNanoseconds)),
        zoomFactor: zoom.factorToApply(at: frame.instant), counting: &losses)
    }
  }

  /// - Throws: when the camera has delivered nothing for that long.
  func checkDelivery(patienceNanoseconds: UInt64, at now: Instant) throws(DeviceFailure) {
    guard now.distance(since: lastDelivery) >= patienceNanoseconds else { return }
    throw DeviceFailure(
      device: .camera, kind: .failed, subject: "", problem: "delivers no pictures any more",
      remedy: "it is opened again by itself; if that does not help, check its cable")
  }

  /// Whether all workers have returned their buffers, which no longer go back to the camera.
  public mutating func hasAllBuffersBack() -> Bool {
    while takeEmptied() != nil {}
    return lentBufferCount == 0
  }

  private mutating func takeEmptied() -> UInt16? {
    while let index = emptied.pop() ?? stills.takeEmptied() ?? views?.takeEmptied() {
      holderCounts[Int(index)] -= 1
      guard holderCounts[Int(index)] == 0 else { continue }
      lentBufferCount -= 1
      return index
    }
    return nil
  }

  /// Forgets the camera's count and earlier pictures, for a camera that was reopened with an empty ring.
  public mutating func restart(at now: Instant) {
    resume(at: now)
    nextPosition = 0
    // A camera that was opened before the microphone has filled its buffers meanwhile.
    firstEvent = now
  }

  /// Forgets the camera's count, for a camera that was reopened in the middle of things.
  mutating func resume(at now: Instant) {
    nextSequence = nil
    lastDelivery = now
  }

  private mutating func pass(
    _ frame: CameraFrame, at position: TimelinePosition, zoomFactor: Double, counting losses: inout CaptureLosses
  ) {
    // A camera that repeats a timestamp must not give two pictures the same position.
    let position = max(position, nextPosition)
    countGap(before: frame.sequence, counting: &losses)
    nextPosition = position + 1
    pictureCount += 1
    lentBufferCount += 1
    let header = PictureHeader(
      samplePosition: position, instant: frame.instant, cameraSequence: frame.sequence)
    let picture = RawPicture(
      bufferIndex: UInt16(frame.bufferIndex), byteCount: frame.byteCount, header: header, zoomFactor: zoomFactor)
    let isPassed = pictures.push(picture)
    precondition(isPassed, "the queue to the encoder holds every buffer of the camera")
    holderCounts[frame.bufferIndex] = 1 + (stills.take(picture) ? 1 : 0) + (views?.take(picture) == true ? 1 : 0)
  }

  private mutating func countGap(before sequence: UInt32, counting losses: inout CaptureLosses) {
    // The count may wrap. One that goes back is a driver that restarted it, and means no drop.
    if let expected = nextSequence, let gap = UInt64(exactly: Int32(bitPattern: sequence &- expected)), gap > 0 {
      losses.pictureCount += gap
    }
    nextSequence = sequence &+ 1
  }
}
