import Base
import Machine

/// A camera that tracks its buffers.
struct FakeCamera: CameraDriver, ~Copyable {
  var waiting: [CameraFrame] = []
  private(set) var freeBuffers: [Int] = [0, 1, 2, 3]
  private(set) var dequeueCount = 0
  /// Returned buffers that were not lent.
  private(set) var strayBufferCount = 0
  private var lent: Set<Int> = []

  var bufferCount: Int { 4 }

  /// Exposes a frame, which is dropped if no buffer is free.
  mutating func expose(sequence: UInt32, at instant: Instant) {
    guard let index = freeBuffers.popLast() else { return }
    waiting.append(CameraFrame(bufferIndex: index, byteCount: 9, instant: instant, sequence: sequence))
  }

  mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat {
    VideoFormat(widthPixels: 2, heightPixels: 2, pixelFormat: .yuyv, bytesPerRow: 4, frameRate: FrameRate(frames: 30))
  }

  mutating func dequeue() throws(DeviceFailure) -> CameraFrame? {
    guard !waiting.isEmpty else { return nil }
    dequeueCount += 1
    let frame = waiting.removeFirst()
    lent.insert(frame.bufferIndex)
    return frame
  }

  mutating func requeue(bufferIndex: Int) throws(DeviceFailure) {
    if lent.remove(bufferIndex) == nil { strayBufferCount += 1 }
    freeBuffers.append(bufferIndex)
  }

  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

  /// The camera's own zoom range; nil for none.
  var maximumZoom: Double?
  var refusesZoom = false
  private(set) var zooms: [Double] = []

  mutating func setZoom(_ factor: Double) throws(DeviceFailure) {
    if refusesZoom {
      throw DeviceFailure(device: .camera, kind: .failed, subject: "", problem: "does not zoom", remedy: "none")
    }
    zooms.append(factor)
  }

  mutating func close() {}
}
