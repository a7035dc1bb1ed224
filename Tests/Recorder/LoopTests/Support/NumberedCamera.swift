import Port
import Values
import Rings
import SimBoard

/// A camera that delivers small JPEGs without a scan, each with its number in a comment (ITU-T T.81, B.2.4.5): picture k
/// is exposed k periods after the start.
@safe struct NumberedCamera: Camera, ~Copyable {
  static let periodNanoseconds: UInt64 = 40_000_000
  static let format = VideoFormat(
    widthPixels: 64, heightPixels: 48, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 25))
  private static let rawFormat = VideoFormat(
    widthPixels: 64, heightPixels: 48, pixelFormat: .yuv420, bytesPerRow: 64, frameRate: FrameRate(frames: 25))
  private static let bufferByteCount = 64 * 48 * 3 / 2
  static let bufferCount = 4
  private static let largestSpareBufferCount = 2
  private static let readoutNanoseconds: UInt64 = 5_000_000

  private let sim: SimWorld
  private let world: TestWorld
  // Sound: boot memory outlives the camera.
  private let memory: UnsafeMutableRawBufferPointer
  private var freeBuffers: [Int] = []
  private var nextPicture: UInt64 = 0
  private var firstPicture: UInt64 = 0
  private var isOpen = false

  init?(sim: SimWorld, world: TestWorld, in boot: inout BootMemory) {
    guard
      let piece = unsafe boot.cut(
        byteCount: (Self.bufferCount + Self.largestSpareBufferCount) * Self.bufferByteCount)
    else { return nil }
    unsafe memory = piece
    self.sim = sim
    self.world = world
  }

  private static let beginning: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 6]
  private static let end: [UInt8] = [0xFF, 0xD9]

  /// The number in a picture's bytes.
  static func number(of picture: [UInt8]) -> Int {
    (0..<4).reduce(0) { $0 | Int(picture[beginning.count + $1]) << (8 * $1) }
  }

  /// The number of the picture that a still was made of: Exif's segment lies behind the first two bytes.
  static func pictureNumber(ofStill still: [UInt8]) -> Int {
    number(of: Array(still.prefix(2)) + still.dropFirst(4 + Int(still[4]) << 8 + Int(still[5])))
  }

  var bufferCount: Int { isOpen ? Self.bufferCount : 0 }
  private(set) var spareBufferCount = 0

  mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat {
    if world.isCameraGone { throw TestWorld.failure(.camera) }
    precondition(!isOpen, "the camera was opened twice")
    isOpen = true
    spareBufferCount = world.grantsSpareBuffers ? min(request.spareBufferCount, Self.largestSpareBufferCount) : 0
    freeBuffers = [0, 1, 2, 3]
    nextPicture = (sim.nowNanoseconds - sim.startNanoseconds) / Self.periodNanoseconds + 1
    firstPicture = nextPicture
    if world.isCameraRaw { drawRawPictures() }
    return world.isCameraRaw ? Self.rawFormat : Self.format
  }

  mutating func dequeue() throws(DeviceFailure) -> CameraFrame? {
    if world.isCameraGone { throw TestWorld.failure(.camera) }
    precondition(isOpen, "a picture was asked of a closed camera")
    let exposure = sim.startNanoseconds + nextPicture * Self.periodNanoseconds
    guard exposure + Self.readoutNanoseconds <= sim.nowNanoseconds, let index = freeBuffers.popLast() else {
      return nil
    }
    let number = nextPicture
    nextPicture += 1
    fill(index, with: Self.beginning + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + Self.end)
    return CameraFrame(
      bufferIndex: index, byteCount: world.isCameraRaw ? Self.bufferByteCount : 12 + Int(number % 50),
      monotonicNanoseconds: exposure,
      sequence: UInt32(number - firstPicture))
  }

  mutating func requeue(bufferIndex: Int) throws(DeviceFailure) {
    precondition(isOpen && !freeBuffers.contains(bufferIndex), "a buffer came back twice, or to a closed camera")
    freeBuffers.append(bufferIndex)
  }

  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(buffer(index))
  }

  func bufferDescriptor(at index: Int) -> Int32? { Int32(index) }

  var maximumZoom: Double? { nil }

  mutating func setZoom(_ factor: Double) throws(DeviceFailure) {}

  mutating func close() { isOpen = false }

  private func drawRawPictures() {
    var picture = [UInt8](repeating: 128, count: Self.bufferByteCount)
    for index in 0..<48 * 64 { picture[index] = UInt8(16 + 3 * (index % 64) + index / 64 / 2) }
    for index in 0..<Self.bufferCount { fill(index, with: picture) }
  }

  private func fill(_ index: Int, with bytes: [UInt8]) { unsafe buffer(index).copyBytes(from: bytes) }

  private func buffer(_ index: Int) -> UnsafeMutableRawBufferPointer {
    let start = index * Self.bufferByteCount
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + Self.bufferByteCount])
  }
}
