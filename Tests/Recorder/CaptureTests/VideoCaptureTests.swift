import Base
import Foundation
import Media
import TestSupport
import Testing

@testable import Record

@Suite struct VideoCaptureTests {
  private struct Bench: ~Copyable {
    var capture: VideoCapture
    var pictures: QueueConsumer<RawPicture>
    var emptied: QueueProducer<UInt16>
    var stillPictures: QueueConsumer<StillPicture>
    var receipts: QueueProducer<StillReceipt>
    var camera = FakeCamera()
    var losses = CaptureLosses()
    var zoom = CameraZoom(Zoom(maximum: 16, powersOfTwoPerSecond: 3, easing: .linear))

    init() throws {
      var memory = leakedBootMemory(byteCount: 10_000)
      let pictures = try unwrapped(Queue<RawPicture>(capacity: 4, in: &memory))
      let emptied = try unwrapped(Queue<UInt16>(capacity: 4, in: &memory))
      let stillPictures = try unwrapped(Queue<StillPicture>(capacity: 1, in: &memory))
      let receipts = try unwrapped(Queue<StillReceipt>(capacity: 1, in: &memory))
      capture = VideoCapture(
        pictures: pictures.producer, emptied: emptied.consumer,
        stills: StillCapture(pictures: stillPictures.producer, receipts: receipts.consumer))
      self.stillPictures = stillPictures.consumer
      self.receipts = receipts.producer
      self.pictures = pictures.consumer
      self.emptied = emptied.producer
    }

    mutating func step(maximumPictures: Int = 4) throws {
      let clock = SampleClock(sampleRateHz: 48_000, at: 0)
      try capture.step(
        from: &camera, maximumPictures: maximumPictures, timedBy: clock, zoomedBy: zoom, counting: &losses)
    }

    /// Handles the next picture as the encoder does.
    mutating func encode() -> RawPicture? {
      guard let picture = pictures.pop() else { return nil }
      let isGivenBack = emptied.push(picture.bufferIndex)
      #expect(isGivenBack)
      return picture
    }

    /// Handles a picture as the still worker does.
    mutating func makeStill(_ outcome: StillReceipt.Outcome = .coded) -> StillPicture? {
      guard let still = stillPictures.pop() else { return nil }
      let isGivenBack = receipts.push(
        StillReceipt(bufferIndex: still.picture.bufferIndex, number: still.order.number, outcome: outcome))
      #expect(isGivenBack)
      return still
    }

    mutating func order(_ number: UInt32) { capture.stills.order(Self.order(number)) }

    static func order(_ number: UInt32) -> StillOrder {
      StillOrder(number: number, crop: nil, orientation: .portrait, unixOffsetNanoseconds: 7)
    }

    mutating func hasAllBuffersBack() -> Bool { capture.hasAllBuffersBack() }
  }

  @Test(
    "every buffer comes back exactly once, in order, with a limited number of pictures per step",
    arguments: 1...20 as ClosedRange<UInt64>)
  func returnsBuffers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bench = try Bench()
    var passed: [UInt32] = []
    var exposed: [UInt32] = []
    for sequence in 0..<500 as Range<UInt32> {
      let free = bench.camera.freeBuffers.count
      bench.camera.expose(sequence: sequence, at: Instant(UInt64(sequence) * 33_000_000))
      if bench.camera.freeBuffers.count < free { exposed.append(sequence) }
      let before = bench.camera.dequeueCount
      try bench.step(maximumPictures: 2)
      #expect(bench.camera.dequeueCount - before <= 2)
      while Int.random(in: 0..<3, using: &generator) > 0, let picture = bench.encode() {
        passed.append(picture.header.cameraSequence)
        #expect(picture.header.samplePosition == TimelinePosition(UInt64(picture.header.cameraSequence) * 1_584))
      }
    }
    while let picture = bench.encode() {
      passed.append(picture.header.cameraSequence)
    }
    let isComplete = bench.hasAllBuffersBack()
    #expect(passed == exposed.prefix(passed.count).map { $0 })
    #expect(passed.count + bench.camera.waiting.count == exposed.count)
    #expect(isComplete)
    #expect(bench.camera.strayBufferCount == 0)
    let dropped = try #require(passed.last) + 1 - UInt32(passed.count)
    #expect(bench.losses.pictureCount == UInt64(dropped))
  }

  @Test("a buffer that the encoder holds keeps the camera from being closed")
  func waitsForBuffers() throws {
    var bench = try Bench()
    bench.camera.expose(sequence: 0, at: 0)
    try bench.step()
    var isComplete = bench.hasAllBuffersBack()
    #expect(!isComplete)
    _ = bench.encode()
    isComplete = bench.hasAllBuffersBack()
    #expect(isComplete)
  }

  @Test(
    "a still is made of the next picture, and its buffer comes back once encoder and still worker are done",
    arguments: 0..<4
  )
  func sharesBuffer(rotation: Int) throws {
    var bench = try Bench()
    bench.order(3)
    for sequence in 0..<2 as Range<UInt32> { bench.camera.expose(sequence: sequence, at: Instant(UInt64(sequence))) }
    try bench.step()
    if rotation % 2 == 0 {
      #expect(bench.encode()?.header.cameraSequence == 0)
      if rotation == 0 { try bench.step() }
      #expect(bench.camera.freeBuffers.count == 2)
      #expect(bench.makeStill()?.order == Bench.order(3))
    } else {
      #expect(bench.makeStill()?.picture.header.cameraSequence == 0)
      if rotation == 1 { try bench.step() }
      #expect(bench.camera.freeBuffers.count == 2)
      #expect(bench.encode()?.header.cameraSequence == 0)
    }
    try bench.step()
    #expect(bench.camera.freeBuffers.count == 3)
    #expect(bench.makeStill() == nil)
    _ = bench.encode()
    let isComplete = bench.hasAllBuffersBack()
    #expect(isComplete && bench.camera.strayBufferCount == 0)
  }

  @Test("a still that is ordered while another is being made uses the first picture after it")
  func ordersNext() throws {
    var bench = try Bench()
    bench.order(1)
    bench.camera.expose(sequence: 0, at: 0)
    try bench.step()
    #expect(bench.capture.stills.takesOrders && bench.capture.stills.awaitedNumber == nil)
    bench.order(2)
    #expect(!bench.capture.stills.takesOrders && bench.capture.stills.awaitedNumber == 2)
    bench.camera.expose(sequence: 1, at: 1)
    try bench.step()
    #expect(bench.makeStill(.tooLarge)?.picture.header.cameraSequence == 0)
    bench.camera.expose(sequence: 2, at: 2)
    try bench.step()
    let failure = bench.capture.stills.nextFailure()
    #expect(failure?.number == 1 && failure?.outcome == .tooLarge)
    #expect(bench.makeStill()?.picture.header.cameraSequence == 2)
    bench.order(3)
    bench.capture.stills.withdraw()
    try bench.step()
    #expect(bench.capture.stills.awaitedNumber == nil && bench.capture.stills.nextFailure() == nil)
  }

  @Test("gaps in the driver's count are dropped frames, also where it wraps; a count that decreases is not a drop")
  func countsGaps() throws {
    var bench = try Bench()
    for sequence in [UInt32.max - 1, 0, 1, 4, 2, 3] as [UInt32] {
      bench.camera.expose(sequence: sequence, at: Instant(UInt64(sequence)))
      try bench.step()
      _ = bench.encode()
    }
    #expect(bench.losses.pictureCount == 3)
  }

  @Test("each picture has the zoom factor of its exposure, however late it arrives")
  func zoomFactors() throws {
    var bench = try Bench()
    bench.zoom.motion.glide(to: 8, powersOfTwoPerSecond: 3, at: 1_000_000_000)
    var factors: [Double] = []
    for sequence in 0..<40 as Range<UInt32> {
      bench.camera.expose(sequence: sequence, at: Instant(900_000_000) + UInt64(sequence) * 33_333_333)
      // Two at a time.
      if sequence % 2 == 1 { try bench.step() }
      while let picture = bench.encode() { factors.append(picture.zoomFactor) }
    }
    #expect(factors.count == 40)
    for (sequence, factor) in factors.enumerated() {
      let seconds = Double(sequence) * 0.033_333_333 - 0.1
      #expect(abs(log2(factor) - min(max(3 * seconds, 0), 3)) < 1e-6)
    }
  }

  @Test("no two pictures have the same position, for any timestamps of the camera")
  func placesAreDistinct() throws {
    var bench = try Bench()
    var places: [TimelinePosition] = []
    for instant in [1_000_000, 1_000_000, 500_000, 2_000_000] as [Instant] {
      bench.camera.expose(sequence: UInt32(places.count), at: instant)
      try bench.step()
      places.append(try unwrapped(bench.encode()).header.samplePosition)
    }
    #expect(places == [48, 49, 50, 96])
  }
}
