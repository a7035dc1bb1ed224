import Port
import Values
import Rings
import Text

/// A camera that looks at ``SimScene``: frame k of the world is exposed k periods of its crystal after the world's
/// start, carries the number k, and flashes when it is the first that is not before a whole second of the world, which
/// is when the microphone hears a click.
@safe public struct SimCamera: Camera, ~Copyable {
  private static var largestBufferCount: Int { 8 }

  private let world: SimWorld
  private let isPresent: Bool
  private let canDraw: Bool
  private let format: VideoFormat
  private let timeline: SimTimeline
  private let configuredBufferCount: Int
  // Sound: boot memory outlives the camera; a buffer is written only between the driver's filling and its lending.
  private let memory: UnsafeMutableRawBufferPointer
  /// What each buffer shows; nil before its first picture.
  private var drawn = InlineArray<8, SimScene?>(repeating: nil)
  /// Nil where the pictures are raw.
  private var coder: SimPictureCoder?
  /// Nil while closed.
  private var stream: SimCameraStream?

  /// What the buffers take of boot memory, and what codes the pictures.
  public static func byteCount(_ settings: SimBoardSettings) -> Int {
    BootMemory.footprint(byteCount: settings.cameraBufferCount * bufferByteCount(settings))
      + (settings.codesPictures ? SimPictureCoder.byteCount(settings.drawnFormat) : 0)
  }

  /// - Returns: nil when `memory` has not ``byteCount(_:)`` left.
  public init?(_ settings: SimBoardSettings, world: SimWorld, in memory: inout BootMemory) {
    precondition((1...Self.largestBufferCount).contains(settings.cameraBufferCount), "1 to 8 camera buffers")
    guard let piece = unsafe memory.cut(byteCount: settings.cameraBufferCount * Self.bufferByteCount(settings))
    else { return nil }
    var coder: SimPictureCoder?
    if settings.codesPictures {
      coder = SimPictureCoder(settings.drawnFormat, hasHuffmanTables: settings.hasHuffmanTables, in: &memory)
      guard coder != nil else { return nil }
    }
    unsafe self.memory = piece
    self.coder = coder
    self.world = world
    isPresent = settings.hasCamera
    configuredBufferCount = settings.cameraBufferCount
    canDraw = settings.canDraw
    format = settings.pictureFormat
    timeline = SimTimeline(
      startNanoseconds: world.startNanoseconds, ticks: settings.frameRate.frames, seconds: settings.frameRate.seconds,
      partsPerMillion: settings.cameraPartsPerMillion)
  }

  /// As the settings say while it is open.
  public var bufferCount: Int { stream == nil ? 0 : configuredBufferCount }

  /// Starts the stream; the first frame is the next that is exposed.
  /// - Returns: the one format that the settings give it, whatever is asked.
  public mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat {
    guard isPresent else {
      throw DeviceFailure(
        device: .camera, kind: .absent, subject: request.deviceName, problem: "is not on the simulated board",
        remedy: "takes are recorded without pictures")
    }
    guard canDraw else {
      throw DeviceFailure(
        device: .camera, kind: .unsupported, subject: "\(format.widthPixels)x\(format.heightPixels)",
        problem: "is not what the simulated camera can draw",
        remedy: "set an even size of 160x120 or more")
    }
    coder?.prepareThread()
    stream = SimCameraStream(
      timeline: timeline, bufferCount: configuredBufferCount, nowNanoseconds: world.nowNanoseconds)
    return format
  }

  /// Draws the oldest frame as it is fetched, and codes it where the camera delivers JPEGs.
  public mutating func dequeue() throws(DeviceFailure) -> CameraFrame? {
    guard stream != nil else {
      throw DeviceFailure(device: .camera, kind: .absent, subject: "", problem: "is not open", remedy: "open it first")
    }
    guard let lent = stream?.lend(nowNanoseconds: world.nowNanoseconds) else { return nil }
    return CameraFrame(
      bufferIndex: lent.bufferIndex, byteCount: draw(lent.frame, in: lent.bufferIndex),
      monotonicNanoseconds: timeline.instant(of: lent.frame), sequence: lent.sequence)
  }

  /// A closed camera has its buffers back already.
  public mutating func requeue(bufferIndex: Int) throws(DeviceFailure) {
    stream?.takeBack(bufferIndex: bufferIndex, nowNanoseconds: world.nowNanoseconds)
  }

  /// Boot memory: it stays even after ``close()``.
  public func bufferMemory(at index: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(memory(at: index))
  }

  /// None: the pictures are zoomed where they are encoded.
  public var maximumZoom: Double? { nil }

  /// Nothing to set.
  public mutating func setZoom(_ factor: Double) throws(DeviceFailure) {}

  /// Stops the stream; frames that were not fetched are gone.
  public mutating func close() { stream = nil }

  /// - Returns: bytes of the buffer that the picture has.
  private mutating func draw(_ frame: UInt64, in bufferIndex: Int) -> Int {
    let buffer = unsafe memory(at: bufferIndex)
    let scene = SimScene(number: UInt32(truncatingIfNeeded: frame), isFlashing: isFlashing(frame))
    guard coder == nil else { return unsafe coder!.code(scene, into: buffer) }
    scene.draw(over: drawn[bufferIndex], on: unsafe SimCanvas(memory: buffer, format: format))
    drawn[bufferIndex] = scene
    return buffer.count
  }

  private func isFlashing(_ frame: UInt64) -> Bool {
    frame == timeline.firstTick(ofSecond: timeline.wholeSeconds(at: frame))
  }

  private func memory(at index: Int) -> UnsafeMutableRawBufferPointer {
    let byteCount = unsafe memory.count / configuredBufferCount
    let start = index * byteCount
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + byteCount])
  }

  private static func bufferByteCount(_ settings: SimBoardSettings) -> Int {
    let format = settings.drawnFormat
    return settings.codesPictures ? SimPictureCoder.maximumByteCount(format) : SimCanvas.byteCount(format)
  }
}
