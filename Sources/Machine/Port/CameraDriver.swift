import Base

/// A camera that fills its own buffers and lends them. Only taking and giving back buffers never waits.
package protocol CameraDriver: SlowDevice, ~Copyable where Order == CameraOrder, Outcome == VideoFormat? {
  /// Opens the camera and starts it.
  /// - Returns: the format that it agreed to.
  mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat

  /// The oldest filled buffer; nil when there is none yet. Never waits.
  mutating func dequeue() throws(DeviceFailure) -> CameraFrame?

  /// Gives a buffer back to be filled again.
  mutating func requeue(bufferIndex: Int) throws(DeviceFailure)

  /// How many buffers it fills; 0 before ``open(_:)``. With the spare ones there are at most 8.
  var bufferCount: Int { get }

  /// How many buffers there are besides, for pictures made elsewhere: as many as were requested, or fewer. The camera
  /// never fills them, and only their memory may be written.
  var spareBufferCount: Int { get }

  /// The memory of a buffer or a spare buffer; it stays mapped until ``close()``.
  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer

  /// A descriptor by which another device can read the buffer's memory (a dma-buf); valid until ``close()``. Nil where
  /// the camera does not share its memory.
  func bufferDescriptor(at index: Int) -> Int32?

  /// The largest factor by which the camera itself can magnify the middle of its picture, more than 1; nil while it is
  /// closed, and for a camera without zoom.
  var maximumZoom: Double? { get }

  /// What zooms it.
  associatedtype Zooming: CameraZooming = NoZooming

  /// Nil where ``maximumZoom`` is. Valid until ``close()``.
  var zooming: Zooming? { get }

  /// Stops the camera and unmaps its buffers, none of which may be in use. Does nothing when it is closed.
  mutating func close()
}

/// What a worker does with a camera.
package enum CameraOrder: BitwiseCopyable, Sendable {
  /// The outcome is the format that was agreed.
  case open(CameraRequest)
  case close
}

extension CameraDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: CameraOrder) throws(DeviceFailure) -> VideoFormat? {
    switch order {
    case .open(let request): return try open(request)
    case .close: close()
    }
    return nil
  }

  /// None.
  package var zooming: Zooming? { nil }

  /// None.
  package var spareBufferCount: Int { 0 }

  /// None: the camera does not share its memory.
  package func bufferDescriptor(at index: Int) -> Int32? { nil }
}

/// What the configuration asks of the camera; the nearest that it offers is taken.
package struct CameraRequest: BitwiseCopyable, Sendable {
  /// A V4L2 device node, such as `/dev/video0`.
  package var deviceName: FixedText<64>
  /// 16…4,096 each way, even.
  package var size: FrameSize
  /// Whether the next smaller of 1920 x 1080, 1280 x 720 and 640 x 480 is taken, instead of the nearest size, where the
  /// camera does not offer ``size`` at the frame rate.
  package var descends: Bool
  /// 1…120 frames a second.
  package var frameRate: FrameRate
  /// Nil: MJPEG where the camera has it, else raw.
  package var pixelFormat: PixelFormat?
  /// How many more buffers are wanted that the camera does not fill.
  package var spareBufferCount: Int
  /// What a smaller size is taken for, too.
  package var budget: PictureBudget

  package init(
    deviceName: FixedText<64>, size: FrameSize, descends: Bool = false, frameRate: FrameRate,
    pixelFormat: PixelFormat?, spareBufferCount: Int = 0, budget: PictureBudget = PictureBudget()
  ) {
    self.deviceName = deviceName
    self.size = size
    self.descends = descends
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
    self.spareBufferCount = spareBufferCount
    self.budget = budget
  }
}

/// A picture in one of the camera's buffers, until the buffer is given back.
package struct CameraFrame: Sendable {
  /// Which of the camera's buffers, below its `bufferCount`.
  package var bufferIndex: Int
  /// Bytes that the camera filled.
  package var byteCount: Int
  /// When it was exposed, by the monotonic clock.
  package var instant: Instant
  /// Counted by the driver; a gap means dropped frames.
  package var sequence: UInt32

  package init(bufferIndex: Int, byteCount: Int, instant: Instant, sequence: UInt32) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.instant = instant
    self.sequence = sequence
  }
}
