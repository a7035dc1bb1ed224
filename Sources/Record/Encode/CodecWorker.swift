import Base
import Machine
import Media
import Synchronization

/// Passes the camera's pictures in order to the machine's encoder (zoomed ones through a spare buffer), puts the
/// packets into the picture ring, and returns the buffers once the encoder has read them.
///
/// A packet that finds the ring full is dropped and counted. So are all packets up to the next keyframe, because they
/// could not be decoded.
package struct CodecWorker: ~Copyable {
  private let buffers: CameraBuffers
  private let counters: EncoderCounters
  private let status: CodecStatus
  /// Writes a picture, or its centre, into a buffer that the encoder reads.
  private var zoomer: PictureZoomer
  private var encoder: VideoEncoder
  /// Used after the encoder has failed.
  private var substitute: PictureCoder
  /// Copied into the encoder while the camera is lost.
  private let sign = Sign.noPicture
  private var rawPictures: QueueConsumer<RawPicture>
  private var emptiedBuffers: QueueProducer<UInt16>
  private var codedPictures: PacketRingProducer<PictureHeader>
  private var inFlight = PicturesInFlight()
  /// One bit for each buffer, including spare ones, that the encoder holds.
  private var lentBuffers: UInt8 = 0
  /// The spare ones among them. Stored here because the camera may be closed and the list of buffers changed while the
  /// encoder holds one.
  private var lentSpares: UInt8 = 0
  /// Whether packets are dropped until the next keyframe.
  private var awaitsKeyframe = true
  private var flow = Flow.coding
  /// Consecutive waits without input or output.
  private var idleWaitCount = 0

  private enum Flow {
    case coding
    /// The encoder has been asked to drain: no more pictures follow for now.
    case runningDry
  }

  /// - Parameters:
  ///   - encoder: opened for the camera's format.
  ///   - zoomer: from the camera's format to the encoder's.
  ///   - substitute: makes the JPEGs for files that start after the encoder has failed.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: buffer indices, back to the loop; has room for all of them.
  package init(
    encoder: consuming VideoEncoder, zoomer: consuming PictureZoomer,
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

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() { substitute.prepareThread() }

  /// Whether pictures must become JPEGs; if so, ``intoJPEGWorker()`` continues.
  package var isReplaced: Bool { status.phase == .replaced }

  /// The worker that makes JPEGs from the same pictures once the encoder has failed.
  package consuming func intoJPEGWorker() -> JPEGWorker {
    JPEGWorker(
      coder: substitute, buffers: buffers, counters: counters, rawPictures: rawPictures,
      emptiedBuffers: emptiedBuffers, encodedPictures: codedPictures)
  }

  /// Does the next bounded piece of work, waiting for the encoder for a few milliseconds at most.
  /// - Returns: false if there was none.
  package mutating func step() -> Bool {
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
    // Zooming needs a spare buffer; a picture without zoom is better than none.
    guard picture.zoomFactor > 1, buffers.spares != 0 else {
      _ = rawPictures.pop()
      try submitBuffer(Int(picture.bufferIndex), of: picture)
      return true
    }
    return try submitZoomed(picture)
  }

  /// Submits a buffer to the encoder without copying.
  private mutating func submitBuffer(_ index: Int, of picture: RawPicture) throws(DeviceFailure) {
    guard let descriptor = buffers.descriptor(index), let byteCount = buffers.byteCount(index) else {
      counters.countFailed()
      return release(index)
    }
    lentBuffers |= 1 << UInt8(index)
    let timestamp = inFlight.append(picture.header)
    try encoder.submit(slot: index, descriptor: descriptor, byteCount: byteCount, timestampMicroseconds: timestamp)
  }

  /// - Returns: false while the encoder is reading all spare buffers.
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

  /// - Returns: false if the picture is not in the camera's format.
  private static func zoom(
    _ picture: RawPicture, in buffers: CameraBuffers, by zoomer: inout PictureZoomer, to spare: Int,
    of encoder: borrowing VideoEncoder
  ) -> Bool {
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount],
      let descriptor = buffers.descriptor(spare)
    else { return false }
    encoder.beginWriting(descriptor: descriptor)
    defer { encoder.endWriting(descriptor: descriptor) }
    return buffers.withSpare(spare) { zoomer.zoom(bytes, by: picture.zoomFactor, into: &$0) }
  }

  private mutating func submitCopy(of picture: RawPicture) throws(DeviceFailure) -> Bool {
    guard let isCopied = Self.copy(picture, or: sign, in: buffers, by: &zoomer, to: &encoder) else { return false }
    _ = rawPictures.pop()
    emptiedBuffers.giveBack(picture.bufferIndex)
    guard isCopied else {
      counters.countFailed()
      return true
    }
    try encoder.submitBuffer(timestampMicroseconds: inFlight.append(picture.header))
    return true
  }

  /// - Returns: nil while the encoder has no free buffer; false if the picture is not in the camera's format.
  private static func copy(
    _ picture: RawPicture, or sign: Sign, in buffers: CameraBuffers, by zoomer: inout PictureZoomer,
    to encoder: inout VideoEncoder
  ) -> Bool? {
    guard var buffer = encoder.acquireBuffer() else { return nil }
    guard !picture.header.isStandIn else { return zoomer.write(sign, into: &buffer) }
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else { return false }
    guard let format = buffers.format else { return zoomer.zoom(bytes, by: picture.zoomFactor, into: &buffer) }
    return zoomer.zoom(bytes, of: format, by: picture.zoomFactor, into: &buffer)
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
    _ packet: CodedPacket, _ header: PictureHeader, of encoder: borrowing VideoEncoder,
    into codedPictures: inout PacketRingProducer<PictureHeader>
  ) -> Bool {
    guard var buffer = codedPictures.acquire(maximumByteCount: packet.byteCount) else { return false }
    encoder.copy(packet, into: &buffer)
    codedPictures.commit(header, byteCount: packet.byteCount)
    return true
  }

  /// Counts pictures that the encoder did not encode; later ones may depend on them.
  private mutating func miss(_ count: Int) {
    for _ in 0..<count { counters.countFailed() }
    awaitKeyframe()
  }

  private mutating func drop(_ header: PictureHeader) {
    counters.countDropped()
    awaitKeyframe()
  }

  private mutating func awaitKeyframe() {
    guard !awaitsKeyframe else { return }
    awaitsKeyframe = true
    encoder.requestKeyframe()
  }

  /// Waits while the encoder has pictures. If it holds on to the last ones, it is drained: the camera may have been
  /// closed and need its buffers.
  /// - Returns: false if the encoder has nothing to do.
  private mutating func awaitEncoder() throws(DeviceFailure) -> Bool {
    guard inFlight.count > 0 || lentBuffers != 0 else {
      idleWaitCount = 0
      return false
    }
    Self.wait(for: encoder)
    idleWaitCount += 1
    if idleWaitCount == CodingLimits.waitsBeforeDraining {
      flow = .runningDry
      try encoder.drain()
    }
    guard idleWaitCount < CodingLimits.waitsBeforeGivingUp else { throw Self.silence(of: encoder) }
    return true
  }

  /// Resumes once the encoder has drained; pictures that have not come out by then are lost.
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

  /// Closes the encoder, and releases all buffers that it holds.
  private mutating func fail(_ failure: DeviceFailure) {
    encoder.close()
    for _ in 0..<inFlight.removeAll() { counters.countFailed() }
    for index in 0..<CameraBuffers.maximumCount where lentBuffers & 1 << UInt8(index) != 0 { release(index) }
    lentBuffers = 0
    status.fail(failure)
  }

  /// Releases a buffer that the encoder no longer needs: the camera's own buffers are returned to the camera.
  private mutating func release(_ index: Int) {
    let bit: UInt8 = 1 << UInt8(index)
    if lentSpares & bit == 0 { emptiedBuffers.giveBack(UInt16(index)) }
    lentSpares &= ~bit
  }

  private static func wait(for encoder: borrowing VideoEncoder) {
    encoder.wait(milliseconds: CodingLimits.waitMilliseconds)
  }

  private static func silence(of encoder: borrowing VideoEncoder) -> DeviceFailure {
    DeviceFailure(
      device: .encoder, kind: .failed, subject: encoder.deviceName, problem: "has not answered for two seconds",
      remedy: "restart the recorder, or set [video] codec = mjpeg")
  }
}

/// The limits for the machine's encoder, with the reasons for their values.
enum CodingLimits {
  /// The most pictures in the encoder: eight camera buffers, six waiting packets, and as many again for look-ahead.
  static var picturesInFlight: Int { 32 }

  /// The longest single wait for an encoder: a third of a picture at 60 per second, so that the next one is not late.
  static var waitMilliseconds: Int32 { 5 }

  /// After this many waits without a packet, the encoder is drained: a quarter of a second, in which even a slow camera
  /// would have sent the next picture.
  static var waitsBeforeDraining: Int { 50 }

  /// After this many waits, the encoder is considered failed: two seconds, ten times what a slow encoder takes.
  static var waitsBeforeGivingUp: Int { 400 }
}

/// The state of the machine's encoder, shared by its thread and the loop.
///
/// A handle: copies refer to the same status.
@safe package struct CodecStatus: @unchecked Sendable {
  /// The worker changes it from coding to failed, and the loop from failed to replaced.
  package enum Phase: UInt8, Sendable {
    /// Pictures go into the machine's encoder.
    case coding
    /// The encoder has failed, and pictures are lost.
    case failed
    /// Pictures are encoded to JPEG, for files that start from now on.
    case replaced
  }

  private struct Shared: ~Copyable {
    let phase = Atomic<UInt8>(Phase.coding.rawValue)
    var failure: DeviceFailure?
  }

  // Safe: boot memory outlives every thread. `failure` is written once, before the release of `phase` that publishes
  // it, and read only after that.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let shared = unsafe memory.place(Shared()) else { return nil }
    unsafe self.shared = shared
  }

  /// The present phase.
  package var phase: Phase {
    Phase(rawValue: unsafe shared.pointee.phase.load(ordering: .acquiring)) ?? .failed
  }

  /// Why the encoder has failed; nil while it works.
  package var failure: DeviceFailure? { phase == .coding ? nil : unsafe shared.pointee.failure }

  /// Switches to JPEG from the next picture on. For the loop only.
  package func replace() {
    guard phase == .failed else { return }
    unsafe shared.pointee.phase.store(Phase.replaced.rawValue, ordering: .releasing)
  }

  /// Reports that the encoder has failed. For the worker only.
  func fail(_ failure: DeviceFailure) {
    guard phase == .coding else { return }
    unsafe shared.pointee.failure = failure
    unsafe shared.pointee.phase.store(Phase.failed.rawValue, ordering: .releasing)
  }
}
