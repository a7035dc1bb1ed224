import Base

/// The machine's video encoder. Pictures go in, and packets come out in the same order.
///
/// It belongs to the encoding thread. Only ``wait(milliseconds:)`` blocks.
package protocol VideoEncoderDriver: ~Copyable {
  /// The name by which it was opened.
  var deviceName: FixedText<64> { get }

  /// How pictures get in.
  var input: EncoderInput { get }

  /// Hands over a picture that stays where it is. Only while ``input`` is shared, and the slot is not taken.
  /// - Parameters:
  ///   - slot: of the camera's buffer, or of a spare one; it is taken until ``nextEmptiedSlot()`` names it.
  ///   - descriptor: of the same buffer.
  mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure)

  /// To be called before the processor writes into memory that the device reads by `descriptor`.
  func beginWriting(descriptor: Int32)

  /// To be called after that.
  func endWriting(descriptor: Int32)

  /// A buffer for a copy of the next picture, in the layout of ``input``; nil while none is free. Only while ``input``
  /// is copied.
  @_lifetime(&self)
  mutating func acquireBuffer() -> MutableRawSpan?

  /// Hands over what was written into the buffer of ``acquireBuffer()``.
  mutating func submitBuffer(timestampMicroseconds: UInt64) throws(DeviceFailure)

  /// A slot whose picture the encoder no longer needs; nil when there is none.
  mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int?

  /// The oldest coded picture; nil when there is none. Its bytes stay until ``release(_:)``.
  mutating func nextPacket() throws(DeviceFailure) -> CodedPacket?

  /// Copies a packet's bytes to the start of `buffer`, which is large enough.
  func copy(_ packet: CodedPacket, into buffer: inout MutableRawSpan)

  /// Gives a packet's buffer back to the encoder.
  mutating func release(_ packet: CodedPacket) throws(DeviceFailure)

  /// Requests a keyframe soon; not every encoder supports it.
  mutating func requestKeyframe()

  /// Flushes the pictures in the encoder. It takes the next picture once ``isRunningDry`` is false.
  mutating func drain() throws(DeviceFailure)

  /// Whether ``drain()`` was called and the last packet has not come out.
  var isRunningDry: Bool { get }

  /// Returns when there may be a packet or an emptied slot, at the latest after `milliseconds`.
  func wait(milliseconds: Int32)

  /// Releases the device and all memory. Does nothing when it is closed.
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

/// What the configuration asks of the machine's encoder.
package struct VideoEncoderRequest: Sendable {
  /// A V4L2 device node, such as `/dev/video11`.
  package var deviceName: FixedText<64>
  /// Not ``VideoCodec/mjpeg``.
  package var codec: VideoCodec
  /// What the camera delivers.
  package var picture: VideoFormat
  /// On average, where the encoder controls its rate.
  package var bitsPerSecond: UInt32
  /// From one picture that can be decoded without those before it to the next; 1 or more.
  package var picturesPerKeyframe: UInt32
  /// How many buffers the camera has with its spare ones, 1…8, and the descriptor of the first; nil where it does not
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
  /// It reads the camera's own buffers.
  case shared
  /// They are copied into the encoder's buffers, in this layout; rows below the picture's last are ignored.
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
  /// Which of the encoder's buffers.
  package var bufferIndex: Int
  /// Bytes of the packet.
  package var byteCount: Int
  /// The picture's own.
  package var timestampMicroseconds: UInt64
  /// Whether it can be decoded without those before it.
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
