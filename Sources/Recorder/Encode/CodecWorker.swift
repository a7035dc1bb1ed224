import Port
import Imaging
import Values
import Rings
import Text

/// Takes the camera's pictures in order through the machine's encoder, zoomed ones by way of memory of their own, puts its
/// packets into the frame ring, and gives the buffers back when the encoder has read them.
///
/// A packet that finds the ring full is dropped and counted, and so are those behind it up to the next keyframe: they
/// could not be decoded.
public struct CodecWorker<Encoder: VideoEncoder & ~Copyable>: ~Copyable {
  private let buffers: CameraBuffers
  private let counters: EncoderCounters
  private let status: CodecStatus
  /// Puts a picture, or its middle, where the encoder reads it.
  private var zoomer: PictureZoomer
  private var encoder: Encoder
  /// For when the encoder is gone.
  private var substitute: PictureCoder
  private var rawPictures: QueueConsumer<RawPicture>
  private var emptiedBuffers: QueueProducer<UInt16>
  private var codedPictures: PacketRingProducer<PictureHeader>
  private var inFlight = PicturesInFlight()
  /// A bit for each of the camera's buffers, and the spare ones, that the encoder reads.
  private var lentBuffers: UInt8 = 0
  /// Those of them that are spare. The camera may be closed while the encoder has one, and the list of buffers be another
  /// when it comes back.
  private var lentSpares: UInt8 = 0
  /// What comes before the next keyframe is of no use.
  private var awaitsKeyframe = true
  private var flow = Flow.coding
  /// Waits in which nothing went in or came out, one after the other.
  private var idleWaitCount = 0

  private enum Flow {
    case coding
    /// The encoder was told that no picture follows.
    case runningDry
  }

  /// - Parameters:
  ///   - encoder: opened for what the camera delivers.
  ///   - zoomer: from the camera's pictures to what the encoder reads.
  ///   - substitute: makes the JPEGs of files that begin when the encoder is gone.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: indices of buffers, back to the loop; holds as many as there are buffers.
  public init(
    encoder: consuming Encoder, zoomer: consuming PictureZoomer,
    substitute: consuming PictureCoder, buffers: CameraBuffers, counters: EncoderCounters, status: CodecStatus,
    rawPictures: consuming QueueConsumer<RawPicture>,
    emptiedBuffers: consuming QueueProducer<UInt16>, codedPictures: consuming PacketRingProducer<PictureHeader>
  ) {
    self.zoomer = zoomer
    self.encoder = encoder
    self.substitute = substitute
    self.buffers = buffers
    self.counters = counters
    self.status = status
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.codedPictures = codedPictures
  }

  /// To be called once by the thread that is to call ``step()``, before that: it may use the heap.
  public mutating func prepareThread() { substitute.prepareThread() }

  /// Whether files that begin now are to hold JPEGs: then ``intoJPEGWorker()`` goes on.
  public var isReplaced: Bool { status.phase == .replaced }

  /// What makes JPEGs of the same pictures, once the encoder is gone.
  public consuming func intoJPEGWorker() -> JPEGWorker {
    JPEGWorker(
      coder: substitute, buffers: buffers, counters: counters, rawPictures: rawPictures,
      emptiedBuffers: emptiedBuffers, encodedPictures: codedPictures)
  }

  /// Does the next bounded piece of work; it waits for the encoder a few milliseconds at most.
  /// - Returns: false when there was none.
  public mutating func step() -> Bool {
    guard status.phase == .coding else { return discardNext() }
    do throws(DeviceFailure) {
      goOnWhenDry()
      let hasSubmitted = try submitNext()
      let hasTakenBack = try takeBuffersBack()
      let hasDelivered = try deliverNext()
      guard !hasSubmitted, !hasTakenBack, !hasDelivered else {
        idleWaitCount = 0
        return true
      }
      return try awaitEncoder()
    } catch {
      fail(error)
      return true
    }
  }

  private mutating func submitNext() throws(DeviceFailure) -> Bool {
    guard flow == .coding, !inFlight.isFull, let picture = rawPictures.peek() else { return false }
    guard encoder.input == .shared else { return try submitCopy(of: picture) }
    // Without a spare buffer there is nowhere to zoom to: better a picture that is not zoomed than none.
    guard picture.zoomFactor > 1, buffers.spares != 0 else {
      _ = rawPictures.pop()
      try submitBuffer(Int(picture.bufferIndex), of: picture)
      return true
    }
    return try submitZoomed(picture)
  }

  /// Hands over a buffer where it is.
  private mutating func submitBuffer(_ index: Int, of picture: RawPicture) throws(DeviceFailure) {
    guard let descriptor = buffers.descriptor(index), let byteCount = buffers.byteCount(index) else {
      counters.countFailed()
      return release(index)
    }
    lentBuffers |= 1 << UInt8(index)
    let timestamp = inFlight.append(picture.header)
    try encoder.submit(slot: index, descriptor: descriptor, byteCount: byteCount, timestampMicroseconds: timestamp)
  }

  /// - Returns: false while the encoder reads all spare buffers.
  private mutating func submitZoomed(_ picture: RawPicture) throws(DeviceFailure) -> Bool {
    let free = buffers.spares & ~lentBuffers
    guard free != 0 else { return false }
    let spare = free.trailingZeroBitCount
    _ = rawPictures.pop()
    let isZoomed = Self.zoom(picture, in: buffers, by: &zoomer, to: spare, of: encoder)
    emptiedBuffers.giveBack(picture.bufferIndex)
    guard isZoomed else {
      counters.countFailed()
      return true
    }
    lentSpares |= 1 << UInt8(spare)
    try submitBuffer(spare, of: picture)
    return true
  }

  /// - Returns: false for a picture that is not what the camera promised.
  private static func zoom(
    _ picture: RawPicture, in buffers: CameraBuffers, by zoomer: inout PictureZoomer, to spare: Int,
    of encoder: borrowing Encoder
  ) -> Bool {
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount],
      let descriptor = buffers.descriptor(spare)
    else { return false }
    encoder.beginWriting(descriptor: descriptor)
    defer { encoder.endWriting(descriptor: descriptor) }
    return buffers.withSpare(spare) { zoomer.zoom(bytes, by: picture.zoomFactor, into: &$0) }
  }

  private mutating func submitCopy(of picture: RawPicture) throws(DeviceFailure) -> Bool {
    guard let isCopied = Self.copy(picture, in: buffers, by: &zoomer, to: &encoder) else { return false }
    _ = rawPictures.pop()
    emptiedBuffers.giveBack(picture.bufferIndex)
    guard isCopied else {
      counters.countFailed()
      return true
    }
    try encoder.submitBuffer(timestampMicroseconds: inFlight.append(picture.header))
    return true
  }

  /// - Returns: nil while the encoder has no room; false for a picture that is not what the camera promised.
  private static func copy(
    _ picture: RawPicture, in buffers: CameraBuffers, by zoomer: inout PictureZoomer, to encoder: inout Encoder
  ) -> Bool? {
    guard var room = encoder.acquireBuffer() else { return nil }
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else { return false }
    return zoomer.zoom(bytes, by: picture.zoomFactor, into: &room)
  }

  private mutating func takeBuffersBack() throws(DeviceFailure) -> Bool {
    var hasTaken = false
    while let slot = try encoder.nextEmptiedSlot() {
      hasTaken = true
      guard encoder.input == .shared else { continue }
      lentBuffers &= ~(1 << UInt8(slot))
      release(slot)
    }
    return hasTaken
  }

  private mutating func deliverNext() throws(DeviceFailure) -> Bool {
    guard let packet = try encoder.nextPacket() else { return false }
    deliver(packet)
    try encoder.release(packet)
    return true
  }

  private mutating func deliver(_ packet: CodedPacket) {
    guard let found = inFlight.take(timestampMicroseconds: packet.timestampMicroseconds) else { return miss(1) }
    if found.missingCount > 0 { miss(found.missingCount) }
    guard !packet.isDamaged else { return miss(1) }
    if packet.isKeyframe { awaitsKeyframe = false }
    var header = found.header
    header.isKeyframe = packet.isKeyframe
    guard !awaitsKeyframe, Self.store(packet, header, of: encoder, into: &codedPictures) else {
      return drop(header)
    }
    counters.countDelivered()
  }

  private static func store(
    _ packet: CodedPacket, _ header: PictureHeader, of encoder: borrowing Encoder,
    into codedPictures: inout PacketRingProducer<PictureHeader>
  ) -> Bool {
    guard var room = codedPictures.acquire(maximumByteCount: packet.byteCount) else { return false }
    encoder.copy(packet, into: &room)
    codedPictures.commit(header, byteCount: packet.byteCount)
    return true
  }

  /// Pictures that the encoder made nothing of: what follows may need them.
  private mutating func miss(_ count: Int) {
    for _ in 0..<count { counters.countFailed() }
    awaitKeyframe()
  }

  private mutating func drop(_ header: PictureHeader) {
    counters.countDropped(samplePosition: header.samplePosition)
    awaitKeyframe()
  }

  private mutating func awaitKeyframe() {
    guard !awaitsKeyframe else { return }
    awaitsKeyframe = true
    encoder.requestKeyframe()
  }

  /// Waits while the encoder has pictures. One that keeps the last of them is told that none follow: the camera may have
  /// been closed, and wants its buffers.
  /// - Returns: false when the encoder has nothing to do.
  private mutating func awaitEncoder() throws(DeviceFailure) -> Bool {
    guard inFlight.count > 0 || lentBuffers != 0 else {
      idleWaitCount = 0
      return false
    }
    encoder.wait(milliseconds: CodingLimits.waitMilliseconds)
    idleWaitCount += 1
    if idleWaitCount == CodingLimits.waitsBeforeDraining {
      flow = .runningDry
      try encoder.drain()
    }
    guard idleWaitCount < CodingLimits.waitsBeforeGivingUp else { throw silence }
    return true
  }

  /// Once the last packet has come, pictures go in again; those that none came of will not come any more.
  private mutating func goOnWhenDry() {
    guard flow == .runningDry, !encoder.isRunningDry else { return }
    flow = .coding
    awaitsKeyframe = true
    for _ in 0..<inFlight.removeAll() { counters.countFailed() }
  }

  private mutating func discardNext() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    counters.countFailed()
    emptiedBuffers.giveBack(picture.bufferIndex)
    return true
  }

  /// Lets go of the encoder, and of every buffer that it has.
  private mutating func fail(_ failure: DeviceFailure) {
    encoder.close()
    for _ in 0..<inFlight.removeAll() { counters.countFailed() }
    for index in 0..<CameraBuffers.maximumCount where lentBuffers & 1 << UInt8(index) != 0 { release(index) }
    lentBuffers = 0
    status.fail(failure)
  }

  /// A buffer that the encoder is done with: what is the camera's goes back to it.
  private mutating func release(_ index: Int) {
    let bit: UInt8 = 1 << UInt8(index)
    if lentSpares & bit == 0 { emptiedBuffers.giveBack(UInt16(index)) }
    lentSpares &= ~bit
  }

  private var silence: DeviceFailure {
    DeviceFailure(
      device: .encoder, kind: .failed, subject: encoder.deviceName, problem: "has not answered for two seconds",
      remedy: "restart the recorder, or set [video] codec = mjpeg")
  }
}
