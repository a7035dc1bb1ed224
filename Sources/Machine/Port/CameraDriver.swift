import Base

/// A camera that fills its own buffers and lends them. Dequeuing and requeuing buffers never block; other calls may.
package protocol CameraDriver: SlowDevice, ~Copyable where Order == CameraOrder, Outcome == VideoFormat? {
  /// Opens the camera and starts it.
  /// - Returns: the agreed format.
  mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat

  /// The oldest filled buffer; nil if there is none yet. Never blocks.
  mutating func dequeue() throws(DeviceFailure) -> CameraFrame?

  /// Returns a buffer to the camera to be filled again.
  mutating func requeue(bufferIndex: Int) throws(DeviceFailure)

  /// The number of buffers it fills; 0 before ``open(_:)``. At most 8 including the spare ones.
  var bufferCount: Int { get }

  /// The number of spare buffers, for pictures made elsewhere: as many as requested, or fewer. The camera never fills
  /// them, and only their memory may be written.
  var spareBufferCount: Int { get }

  /// The memory of a buffer or a spare buffer, mapped until ``close()``.
  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer

  /// A descriptor (a dma-buf) through which another device can read the buffer's memory; valid until ``close()``. Nil
  /// if the camera does not share its memory.
  func bufferDescriptor(at index: Int) -> Int32?

  /// The largest factor, above 1, by which the camera itself can magnify the middle of its picture; nil while it is
  /// closed, and for a camera without zoom.
  var maximumZoom: Double? { get }

  associatedtype Zooming: CameraZooming = NoZooming

  /// Nil if ``maximumZoom`` is nil. Valid until ``close()``.
  var zooming: Zooming? { get }

  /// Stops the camera and unmaps its buffers, none of which may be in use. Does nothing if it is closed.
  mutating func close()
}

package enum CameraOrder: BitwiseCopyable, Sendable {
  /// The outcome is the agreed format.
  case open(CameraRequest)
  case close
}

extension CameraDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: CameraOrder) throws(DeviceFailure) -> VideoFormat? {
    switch order {
    case .open(let request): return try open(request)
    case .close: close()
    }
    return nil
  }

  package var zooming: Zooming? { nil }

  package var spareBufferCount: Int { 0 }

  /// The camera does not share its memory.
  package func bufferDescriptor(at index: Int) -> Int32? { nil }
}

/// The configured settings for the camera; the driver takes the nearest that it offers.
package struct CameraRequest: BitwiseCopyable, Sendable {
  /// A V4L2 device node, such as `/dev/video0`.
  package var deviceName: FixedText<64>
  /// Each side 16…4,096, even.
  package var size: FrameSize
  /// Whether the next smaller of 1920 x 1080, 1280 x 720 and 640 x 480 is taken, instead of the nearest size, if the
  /// camera does not offer ``size`` at the frame rate.
  package var descends: Bool
  /// 1…120 frames per second.
  package var frameRate: FrameRate
  /// Nil for MJPEG if the camera offers it, else raw.
  package var pixelFormat: PixelFormat?
  /// The number of additional buffers wanted that the camera does not fill, if its pictures are raw.
  package var spareBufferCount: Int
  /// A limit that can also lead to a smaller size.
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

/// A picture in one of the camera's buffers, until the buffer is returned.
package struct CameraFrame: Sendable {
  /// The index of the camera's buffer, below its `bufferCount`.
  package var bufferIndex: Int
  /// Bytes filled by the camera.
  package var byteCount: Int
  /// When it was exposed, on the monotonic clock.
  package var instant: Instant
  /// The driver's frame counter; a gap means dropped frames.
  package var sequence: UInt32

  package init(bufferIndex: Int, byteCount: Int, instant: Instant, sequence: UInt32) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.instant = instant
    self.sequence = sequence
  }
}
