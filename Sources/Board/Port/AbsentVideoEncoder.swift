import Text

/// The encoder of a machine that has none: there is no such value.
public enum AbsentVideoEncoder: VideoEncoder, ~Copyable {
  /// Never asked, as all below.
  public var deviceName: FixedText<64> { switch self {} }
  /// Never asked.
  public var input: EncoderInput { switch self {} }
  /// Never asked.
  public mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure) { switch self {} }
  /// Never asked.
  public func beginWriting(descriptor: Int32) { switch self {} }
  /// Never asked.
  public func endWriting(descriptor: Int32) { switch self {} }
  /// Never asked.
  @_lifetime(&self)
  public mutating func acquireRoom() -> MutableRawSpan? { switch self {} }
  /// Never asked.
  public mutating func submitRoom(timestampMicroseconds: UInt64) throws(DeviceFailure) { switch self {} }
  /// Never asked.
  public mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int? { switch self {} }
  /// Never asked.
  public mutating func nextPacket() throws(DeviceFailure) -> CodedPacket? { switch self {} }
  /// Never asked.
  public func copy(_ packet: CodedPacket, into room: inout MutableRawSpan) { switch self {} }
  /// Never asked.
  public mutating func release(_ packet: CodedPacket) throws(DeviceFailure) { switch self {} }
  /// Never asked.
  public mutating func requestKeyframe() { switch self {} }
  /// Never asked.
  public mutating func drain() throws(DeviceFailure) { switch self {} }
  /// Never asked.
  public var isRunningDry: Bool { switch self {} }
  /// Never asked.
  public func wait(milliseconds: Int32) { switch self {} }
  /// Never asked.
  public mutating func close() { switch self {} }
}

extension DeviceFailure {
  /// What a machine without an encoder says when it is asked for one.
  public static func noVideoEncoder(_ request: VideoEncoderRequest) -> DeviceFailure {
    DeviceFailure(
      device: .encoder, kind: .absent, subject: request.deviceName, problem: "is not there: this machine has none",
      remedy: "set [video] codec = mjpeg")
  }
}
