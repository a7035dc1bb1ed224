import Values

/// A camera that fills buffers of its own and lends them.
public protocol Camera: ~Copyable {
  /// Opens the camera and starts it.
  /// - Returns: the format that it agreed to.
  mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat

  /// The oldest filled buffer; nil when there is none yet. Never waits.
  mutating func dequeue() throws(DeviceFailure) -> CameraFrame?

  /// Gives a buffer back to be filled again.
  mutating func requeue(bufferIndex: Int) throws(DeviceFailure)

  /// How many buffers it fills; 0 before ``open(_:)``. With the spare ones there are at most 8.
  var bufferCount: Int { get }

  /// How many buffers there are behind those, for pictures that others make: as many as were asked for, or fewer. The
  /// camera never fills one, and only their memory may be written to.
  var spareBufferCount: Int { get }

  /// The memory of a buffer, a spare one's included; it stays mapped until ``close()``.
  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer

  /// A descriptor by which another device can read the buffer's memory (a dma-buf); valid until ``close()``. Nil where the
  /// camera does not share its memory.
  func bufferDescriptor(at index: Int) -> Int32?

  /// How much larger at most the camera itself can show the middle of its picture: more than 1; nil while it is closed,
  /// and for one that has no zoom of its own.
  var maximumZoom: Double? { get }

  /// Lets the camera show the middle of its picture larger, from one of the next pictures on. Never waits.
  /// - Parameter factor: 1…``maximumZoom``; the nearest that the camera can is taken.
  /// - Throws: when the camera refuses; it goes on at the factor that it had.
  mutating func setZoom(_ factor: Double) throws(DeviceFailure)

  /// Stops the camera and unmaps its buffers; no picture of it may be in use any more. Nothing happens when it is closed.
  mutating func close()
}

extension Camera where Self: ~Copyable {
  /// None: it has not.
  public var spareBufferCount: Int { 0 }

  /// None: the camera does not share its memory.
  public func bufferDescriptor(at index: Int) -> Int32? { nil }
}
