import Base

/// The machine's video encoder. Pictures go in, and packets come out in the same order.
///
/// It belongs to the encoding thread. Only ``wait(milliseconds:)`` blocks.
package protocol VideoEncoderDriver: ~Copyable {
  /// The name under which it was opened.
  var deviceName: FixedText<64> { get }

  /// How pictures get into the encoder.
  var input: EncoderInput { get }

  /// Submits a picture without copying it. Call only if ``input`` is shared and the slot is free.
  /// - Parameters:
  ///   - slot: of the camera's buffer or a spare one; in use until ``nextEmptiedSlot()`` returns it.
  ///   - descriptor: the dma-buf of the same buffer.
  mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure)

  /// Call before the processor writes into memory that the device reads through `descriptor`.
  func beginWriting(descriptor: Int32)

  /// Call after the processor has written into that memory.
  func endWriting(descriptor: Int32)

  /// A buffer for a copy of the next picture, in the layout of ``input``; nil while none is free. Call only if
  /// ``input`` is copied.
  @_lifetime(&self)
  mutating func acquireBuffer() -> MutableRawSpan?

  /// Submits the picture written into the buffer of ``acquireBuffer()``.
  mutating func submitBuffer(timestampMicroseconds: UInt64) throws(DeviceFailure)

  /// A slot whose picture the encoder no longer needs; nil if there is none.
  mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int?

  /// The oldest coded picture; nil if there is none. Its bytes stay valid until ``release(_:)``.
  mutating func nextPacket() throws(DeviceFailure) -> CodedPacket?

  /// Copies a packet's bytes to the start of `buffer`, which must be large enough.
  func copy(_ packet: CodedPacket, into buffer: inout MutableRawSpan)

  /// Returns a packet's buffer to the encoder.
  mutating func release(_ packet: CodedPacket) throws(DeviceFailure)

  /// Requests a keyframe soon; not every encoder supports it.
  mutating func requestKeyframe()

  /// Starts to flush the pictures in the encoder. It accepts the next picture once ``isRunningDry`` is false.
  mutating func drain() throws(DeviceFailure)

  /// Whether ``drain()`` was called and the last packet has not come out yet.
  var isRunningDry: Bool { get }

  /// Returns when there may be a packet or an emptied slot, after `milliseconds` at the latest.
  func wait(milliseconds: Int32)

  /// Releases the device and all memory. Does nothing if it is closed.
  mutating func close()
}

extension DeviceFailure {
  /// The failure of a machine without an encoder.
  package static func noVideoEncoder(_ request: VideoEncoderRequest) -> DeviceFailure {
    DeviceFailure(
      device: .encoder, kind: .absent, subject: request.deviceName, problem: "does not exist: this machine has none",
      remedy: "set [video] codec = mjpeg")
  }
}

/// The configured settings for the machine's encoder.
package struct VideoEncoderRequest: Sendable {
  /// A V4L2 device node, such as `/dev/video11`.
  package var deviceName: FixedText<64>
  /// Any codec but ``VideoCodec/mjpeg``.
  package var codec: VideoCodec
  /// The format that the camera delivers.
  package var picture: VideoFormat
  /// The average rate, if the encoder controls its rate.
  package var bitsPerSecond: UInt32
  /// The keyframe interval in pictures, at least 1.
  package var picturesPerKeyframe: UInt32
  /// The number of camera buffers including spares, 1…8, and the first one's descriptor; nil if the camera does not
  /// share them.
  package var sharedBuffers: (count: Int, firstDescriptor: Int32, byteCount: Int)?

  package init(
    deviceName: FixedText<64>, codec: VideoCodec, picture: VideoFormat, bitsPerSecond: UInt32,
    picturesPerKeyframe: UInt32, sharedBuffers: (count: Int, firstDescriptor: Int32, byteCount: Int)?
  ) {
    self.deviceName = deviceName
    self.codec = codec
    self.picture = picture
    self.bitsPerSecond = bitsPerSecond
    self.picturesPerKeyframe = picturesPerKeyframe
    self.sharedBuffers = sharedBuffers
  }
}

/// How pictures get into an encoder.
package enum EncoderInput: BitwiseCopyable, Equatable, Sendable {
  /// The encoder reads the camera's own buffers.
  case shared
  /// Pictures are copied into the encoder's buffers, in this layout; rows below the picture's last row are ignored.
  case copied(VideoFormat)

  /// The layout in which the encoder reads a camera's picture.
  package func layout(of picture: VideoFormat) -> VideoFormat {
    switch self {
    case .shared: picture
    case .copied(let layout): layout
    }
  }
}

/// A coded picture in one of the encoder's buffers, until it is released.
package struct CodedPacket: BitwiseCopyable, Equatable, Sendable {
  /// The index of the encoder's buffer.
  package var bufferIndex: Int
  package var byteCount: Int
  /// The submitted picture's timestamp.
  package var timestampMicroseconds: UInt64
  /// Whether it can be decoded without earlier packets.
  package var isKeyframe: Bool
  /// Whether the encoder reports that it is incomplete.
  package var isDamaged: Bool

  package init(
    bufferIndex: Int, byteCount: Int, timestampMicroseconds: UInt64, isKeyframe: Bool, isDamaged: Bool = false
  ) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.timestampMicroseconds = timestampMicroseconds
    self.isKeyframe = isKeyframe
    self.isDamaged = isDamaged
  }
}
