import Media

/// A camera that fills buffers of its own and lends them.
public protocol Camera: ~Copyable {
  /// Opens the camera and starts it.
  /// - Returns: the format that it agreed to.
  mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat

  /// The oldest filled buffer; nil when there is none yet. Never waits.
  mutating func dequeue() throws(DeviceFailure) -> CameraFrame?

  /// Gives a buffer back to be filled again.
  mutating func requeue(bufferIndex: Int) throws(DeviceFailure)

  /// How many buffers there are, at most 8; 0 before ``open(_:)``.
  var bufferCount: Int { get }

  /// The memory of a buffer; it stays mapped until ``close()``.
  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer

  /// Stops the camera and unmaps its buffers; no picture of it may be in use any more. Nothing happens when it is closed.
  mutating func close()
}
