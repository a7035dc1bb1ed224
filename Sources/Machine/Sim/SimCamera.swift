import Base

/// A camera that shows ``SimScene``. Frame k of the world is exposed k crystal periods after the world's start and
/// shows the number k. It flashes if it is the first frame at or after a whole second of the world, when the microphone
/// hears a click.
@safe package struct SimCamera: CameraDriver, ~Copyable {
  private static var largestBufferCount: Int { 8 }

  private let world: SimWorld
  private let canDraw: Bool
  private let format: VideoFormat
  /// The format that it agrees to while it is changed.
  private let changedFormat: VideoFormat
  /// The format agreed when it was opened.
  private var delivered: VideoFormat
  private let timeline: SimTimeline
  private let pictures: SimPictures
  private let motionPeriodSeconds: UInt64
  private let numberByteCount: Int
  private let configuredBufferCount: Int
  private let configuredMaximumZoom: Double?
  private let largestSpareBufferCount: Int
  // Safe: boot memory outlives the camera; a buffer is written only after the driver has filled it and before it is
  // lent.
  private let memory: UnsafeMutableRawBufferPointer
  /// The current content of each buffer; nil before its first picture.
  private var drawn = InlineArray<8, SimScene?>(repeating: nil)
  /// Nil if the pictures are raw.
  private var coder: SimPictureCoder?
  /// The coder for ``changedFormat``.
  private var changedCoder: SimPictureCoder?
  /// Nil while closed.
  private var stream: SimCameraStream?

  /// - Throws: if `memory` is used up.
  package init(_ settings: SimSettings, world: SimWorld, in memory: inout BootMemory) throws(DeviceFailure) {
    precondition((1...Self.largestBufferCount).contains(Self.totalBufferCount(settings)), "1 to 8 camera buffers")
    guard let piece = unsafe memory.cut(byteCount: Self.totalBufferCount(settings) * Self.bufferByteCount(settings))
    else { throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0) }
    var coder: SimPictureCoder?
    if settings.codesPictures {
      coder = SimPictureCoder(settings.drawnFormat, hasHuffmanTables: settings.hasHuffmanTables, in: &memory)
      let changed = settings.changed
      changedCoder = SimPictureCoder(changed.drawnFormat, hasHuffmanTables: changed.hasHuffmanTables, in: &memory)
      guard coder != nil, changedCoder != nil else { throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0) }
    } else {
      changedCoder = nil
    }
    unsafe self.memory = piece
    self.coder = coder
    self.world = world
    pictures = settings.pictures
    motionPeriodSeconds = UInt64(settings.motionPeriodSeconds)
    numberByteCount = settings.numberByteCount
    configuredBufferCount = settings.cameraBufferCount
    configuredMaximumZoom = settings.cameraMaximumZoom
    largestSpareBufferCount = settings.spareCameraBufferCount
    canDraw = settings.canDraw
    format = settings.pictureFormat
    changedFormat = settings.changedPictureFormat
    delivered = settings.pictureFormat
    timeline = SimTimeline(
      start: world.start, ticks: settings.frameRate.frames, seconds: settings.frameRate.seconds,
      partsPerMillion: settings.cameraPartsPerMillion)
  }

  package var bufferCount: Int { stream == nil ? 0 : configuredBufferCount }

  /// The number requested at opening, up to the configured maximum.
  package private(set) var spareBufferCount = 0

  /// Starts the stream with the next exposed frame.
  /// - Returns: the configured format, whatever is requested; another one while it is ``Fault/Kind/changed``.
  @export(interface)
  package mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat {
    world.sitOut(.camera)
    if let failure = world.failure(of: .camera, request.deviceName, isOpening: true) { throw failure }
    stream = nil
    guard canDraw else {
      throw DeviceFailure(
        device: .camera, kind: .unsupported, subject: "\(format.widthPixels)x\(format.heightPixels)",
        problem: "is not what the simulated camera can draw", remedy: "set an even size of 160x120 or more")
    }
    coder?.prepareThread()
    changedCoder?.prepareThread()
    spareBufferCount = min(request.spareBufferCount, largestSpareBufferCount)
    if pictures == .numbers && format.pixelFormat != .mjpeg {
      for index in 0..<configuredBufferCount { drawGradient(inBuffer: index) }
    }
    stream = SimCameraStream(timeline: timeline, bufferCount: configuredBufferCount, at: world.now)
    drawn = InlineArray(repeating: nil)
    delivered = world.fault(of: .camera)?.kind == .changed ? changedFormat : format
    return delivered
  }

  /// Draws the oldest frame as it is fetched, and encodes it if the camera delivers JPEGs. Frames from a stall are
  /// delivered after it, as far as there were buffers.
  @export(interface)
  package mutating func dequeue() throws(DeviceFailure) -> CameraFrame? {
    if let failure = world.failure(of: .camera) {
      stream = nil
      throw failure
    }
    guard stream != nil else { throw .notOpen(.camera) }
    let fault = world.fault(of: .camera)
    guard fault?.kind != .stalled, var lent = stream?.lend(at: world.now) else { return nil }
    if fault?.kind == .doubling, lent.sequence % 2 == 1 {
      lent.frame -= 1
      lent.sequence -= 1
    }
    let shown = fault?.kind == .frozen ? timeline.lastTick(at: world.start + fault!.nanoseconds.lowerBound) : lent.frame
    var byteCount = draw(shown, isBlack: fault?.kind == .black, in: lent.bufferIndex)
    if fault?.kind == .corrupt { byteCount = corrupt(bufferIndex: lent.bufferIndex, byteCount, frame: lent.frame) }
    return CameraFrame(
      bufferIndex: lent.bufferIndex, byteCount: byteCount, instant: timestamp(of: lent.frame, fault),
      sequence: lent.sequence)
  }

  private func timestamp(of frame: UInt64, _ fault: Fault?) -> Instant {
    switch fault?.kind {
    case .sameTimestamps: world.start + fault!.nanoseconds.lowerBound
    case .oldTimestamps: timeline.instant(of: frame).earlier(by: 10_000_000_000)
    default: timeline.instant(of: frame)
    }
  }

  /// Does nothing if the camera is closed or gone: it has its buffers back already.
  package mutating func requeue(bufferIndex: Int) throws(DeviceFailure) {
    stream?.takeBack(bufferIndex: bufferIndex, at: world.now)
  }

  /// Boot memory, which stays valid even after ``close()``.
  package func bufferMemory(at index: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(memory(at: index))
  }

  /// The buffer's number, as read by a scripted encoder.
  package func bufferDescriptor(at index: Int) -> Int32? { Int32(index) }

  package var maximumZoom: Double? { stream == nil ? nil : configuredMaximumZoom }

  package var zooming: SimZooming? { maximumZoom == nil ? nil : SimZooming(world: world) }

  /// Stops the stream; frames not yet fetched are lost.
  package mutating func close() {
    world.sitOut(.camera)
    stream = nil
  }

  /// Overwrites the start of a picture and truncates it.
  /// - Returns: the size of the rest in bytes.
  private mutating func corrupt(bufferIndex: Int, _ byteCount: Int, frame: UInt64) -> Int {
    let bits = world.nonsense(frame)
    // No JPEG starts like this.
    unsafe memory(at: bufferIndex).storeBytes(of: bits & ~0xFF | 1, as: UInt64.self)
    drawn[bufferIndex] = nil
    return Int(bits >> 8) % byteCount
  }

  /// - Returns: the size of the picture in the buffer in bytes.
  private mutating func draw(_ frame: UInt64, isBlack: Bool, in bufferIndex: Int) -> Int {
    let buffer = unsafe memory(at: bufferIndex)
    var scene = SimScene(number: UInt32(truncatingIfNeeded: frame), isFlashing: isFlashing(frame), isBlack: isBlack)
    if motionPeriodSeconds > 0, pictures == .scene {
      let moves = timeline.wholeSeconds(at: frame) % motionPeriodSeconds + 2 >= motionPeriodSeconds
      // Neighbours differ, and so do pictures that are some frames apart.
      let noise = moves ? 0 : UInt8((frame ^ frame >> 3) % 7)
      scene = SimScene(number: moves ? scene.number : 0, isFlashing: moves, isBlack: isBlack, noise: noise)
    }
    if pictures == .numbers, !isBlack || format.pixelFormat == .mjpeg {
      if drawn[bufferIndex]?.isBlack == true { drawGradient(inBuffer: bufferIndex) }
      drawn[bufferIndex] = nil
      return unsafe drawNumber(scene.number, in: buffer)
    }
    if delivered == changedFormat, changedCoder != nil { return unsafe changedCoder!.code(scene, into: buffer) }
    guard coder == nil else { return unsafe coder!.code(scene, into: buffer) }
    scene.draw(over: drawn[bufferIndex], on: unsafe SimCanvas(memory: buffer, format: delivered))
    drawn[bufferIndex] = scene
    return SimCanvas.byteCount(delivered)
  }

  /// A JPEG without a scan that holds the number in a comment (ITU-T T.81, B.2.4.5); its length varies.
  private func drawNumber(_ number: UInt32, in buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard format.pixelFormat == .mjpeg else {
      // The last rows differ from picture to picture, as the noise of a sensor does.
      let rows = PixelRectangle(x: 0, y: Int(format.heightPixels) - 4, width: Int(format.widthPixels), height: 4)
      unsafe SimCanvas(memory: buffer, format: format).fill(rows, luma: UInt8(64 + number % 64))
      return buffer.count
    }
    unsafe buffer.storeBytes(of: UInt64(0x06_00_FE_FF_D8_FF).littleEndian, as: UInt64.self)
    unsafe buffer.storeBytes(of: number.littleEndian, toByteOffset: 6, as: UInt32.self)
    unsafe buffer.storeBytes(of: UInt16(0xD9_FF).littleEndian, toByteOffset: 10, as: UInt16.self)
    let byteCount = numberByteCount + Int(number % 50)
    // Zeros at the end would count as no part of the picture.
    if byteCount > 12 { unsafe buffer[byteCount - 1] = 1 }
    return byteCount
  }

  /// A grey gradient that brightens to the right, and slightly towards the bottom.
  private func drawGradient(inBuffer index: Int) {
    let whole = PixelRectangle(x: 0, y: 0, width: Int(format.widthPixels), height: Int(format.heightPixels))
    let canvas = unsafe SimCanvas(memory: memory(at: index), format: format)
    canvas.fill(whole, blue: 128, red: 128)
    for y in 0..<whole.height {
      for x in 0..<whole.width {
        let luma = 16 + 192 * x / whole.width + 24 * y / whole.height
        canvas.fill(PixelRectangle(x: x, y: y, width: 1, height: 1), luma: UInt8(luma))
      }
    }
  }

  private func isFlashing(_ frame: UInt64) -> Bool {
    frame == timeline.firstTick(ofSecond: timeline.wholeSeconds(at: frame))
  }

  private func memory(at index: Int) -> UnsafeMutableRawBufferPointer {
    let byteCount = unsafe memory.count / (configuredBufferCount + largestSpareBufferCount)
    let start = index * byteCount
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + byteCount])
  }

  private static func totalBufferCount(_ settings: SimSettings) -> Int {
    settings.cameraBufferCount + settings.spareCameraBufferCount
  }

  private static func bufferByteCount(_ settings: SimSettings) -> Int {
    let format = settings.drawnFormat
    return settings.codesPictures ? SimPictureCoder.maximumByteCount(format) : SimCanvas.byteCount(format)
  }
}

/// Takes as long as the camera's other calls.
package struct SimZooming: CameraZooming {
  let world: SimWorld

  package func set(_ factor: Double) throws(DeviceFailure) { world.sitOut(.camera) }
}

/// The simulated driver between opening and closing: it fills its buffers in rotation, and drops a frame if no buffer
/// is free.
struct SimCameraStream: Sendable {
  struct Lent {
    var bufferIndex: Int
    /// The frame's number in the world.
    var frame: UInt64
    /// The driver's frame counter: 0 at opening, and it counts dropped frames.
    var sequence: UInt32
  }

  private enum Place {
    /// The buffer does not exist.
    case none
    case free
    /// Filled, and waiting to be fetched.
    case filled(frame: UInt64)
    case lent
  }

  /// The time from the exposure until the picture is in memory.
  private static var readoutNanoseconds: UInt64 { 5_000_000 }

  private let timeline: SimTimeline
  private let firstFrame: UInt64
  private var nextFrame: UInt64
  private var places: InlineArray<8, Place>

  init(timeline: SimTimeline, bufferCount: Int, at now: Instant) {
    self.timeline = timeline
    firstFrame = timeline.firstTick(at: now)
    nextFrame = firstFrame
    places = InlineArray { $0 < bufferCount ? .free : .none }
  }

  /// Lends the oldest filled buffer; nil if there is none.
  mutating func lend(at now: Instant) -> Lent? {
    advance(to: now)
    var oldest: Lent?
    for index in places.indices {
      guard case .filled(let frame) = places[index], frame < oldest?.frame ?? .max else { continue }
      oldest = Lent(bufferIndex: index, frame: frame, sequence: UInt32(truncatingIfNeeded: frame - firstFrame))
    }
    if let oldest { places[oldest.bufferIndex] = .lent }
    return oldest
  }

  /// Takes a buffer back. Frames exposed before that could not use it.
  mutating func takeBack(bufferIndex: Int, at now: Instant) {
    guard case .lent = places[bufferIndex] else { preconditionFailure("a buffer given back that was not lent") }
    advance(to: now)
    places[bufferIndex] = .free
  }

  private mutating func advance(to now: Instant) {
    while timeline.instant(of: nextFrame) + Self.readoutNanoseconds <= now, let index = freeIndex {
      places[index] = .filled(frame: nextFrame)
      nextFrame += 1
    }
    let exposed = now - Self.readoutNanoseconds
    guard timeline.instant(of: nextFrame) <= exposed else { return }
    nextFrame = timeline.lastTick(at: exposed) + 1
  }

  private var freeIndex: Int? {
    for index in places.indices {
      if case .free = places[index] { return index }
    }
    return nil
  }
}
