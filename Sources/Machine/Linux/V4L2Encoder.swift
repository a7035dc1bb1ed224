import Base
import CVideo4Linux

/// The machine's encoder through Video for Linux, such as `/dev/video11` on a Raspberry Pi 4.
package struct V4L2Encoder: VideoEncoderDriver, ~Copyable {
  private var session: EncoderSession<VideoDevice>?
  package let input: EncoderInput
  package let deviceName: FixedText<64>

  @export(interface)
  init(_ request: VideoEncoderRequest) throws(DeviceFailure) {
    let opened: EncoderSession<VideoDevice>
    do throws(VideoError) {
      guard let device = VideoDevice(path: request.deviceName, isEmulated: false) else {
        throw VideoError("cannot be opened")
      }
      opened = try EncoderSession(device, request)
    } catch {
      throw Self.failure(error, request.deviceName)
    }
    deviceName = request.deviceName
    input = opened.input
    session = consume opened
  }

  /// Submits a picture that stays in the camera's memory.
  package mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure) {
    try use { session throws(VideoError) in
      try session.submit(
        slot: slot, descriptor: descriptor, byteCount: byteCount, timestampMicroseconds: timestampMicroseconds)
    }
  }

  package func beginWriting(descriptor: Int32) { video_synchronize_writing(descriptor, true) }

  package func endWriting(descriptor: Int32) { video_synchronize_writing(descriptor, false) }

  @_lifetime(&self)
  package mutating func acquireBuffer() -> MutableRawSpan? {
    guard session != nil else { return nil }
    return session!.acquireBuffer()
  }

  package mutating func submitBuffer(timestampMicroseconds: UInt64) throws(DeviceFailure) {
    try use { session throws(VideoError) in try session.submitBuffer(timestampMicroseconds: timestampMicroseconds) }
  }

  package mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int? {
    try use { session throws(VideoError) in try session.nextEmptiedSlot() } ?? nil
  }

  package mutating func nextPacket() throws(DeviceFailure) -> CodedPacket? {
    try use { session throws(VideoError) in try session.nextPacket() } ?? nil
  }

  package func copy(_ packet: CodedPacket, into buffer: inout MutableRawSpan) {
    guard session != nil else { preconditionFailure("a packet asked for of an encoder that is closed") }
    session!.copy(packet, into: &buffer)
  }

  package mutating func release(_ packet: CodedPacket) throws(DeviceFailure) {
    try use { session throws(VideoError) in try session.release(bufferIndex: packet.bufferIndex) }
  }

  package mutating func requestKeyframe() { session?.requestKeyframe() }

  package mutating func drain() throws(DeviceFailure) {
    try use { session throws(VideoError) in try session.drain() }
  }

  /// Between V4L2_ENC_CMD_STOP and the packet that the driver marks as the last.
  package var isRunningDry: Bool {
    switch session {
    case .some(let session): session.state == .draining
    case .none: false
    }
  }

  package func wait(milliseconds: Int32) {
    switch session {
    case .some(let session): session.wait(milliseconds: milliseconds)
    case .none: break
    }
  }

  package mutating func close() { session = nil }

  /// - Returns: nil while the encoder is closed.
  @discardableResult
  private mutating func use<Result>(
    _ body: (inout EncoderSession<VideoDevice>) throws(VideoError) -> Result
  ) throws(DeviceFailure) -> Result? {
    guard session != nil else { return nil }
    do throws(VideoError) { return try body(&session!) } catch { throw Self.failure(error, deviceName) }
  }

  private static func failure(_ error: VideoError, _ name: FixedText<64>) -> DeviceFailure {
    let remedy: StaticString =
      switch error.kind {
      case .absent: "set [video] encoder_device, or codec = mjpeg"
      case .noPermission: "add the recorder's user to the group video"
      case .busy: "end the program that uses it"
      case .unsupported: "set another [video] codec, format, width or height"
      default: "restart the recorder, or set [video] codec = mjpeg"
      }
    return DeviceFailure(
      device: .encoder, kind: error.kind, subject: name, problem: error.problem, remedy: remedy,
      systemErrorNumber: error.systemErrorNumber)
  }
}
