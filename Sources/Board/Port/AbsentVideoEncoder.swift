import Text

// What is never called needs no documentation.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The encoder type of a machine without one: it has no values.
public enum AbsentVideoEncoder: VideoEncoder, ~Copyable {
  public var deviceName: FixedText<64> { switch self {} }
  public var input: EncoderInput { switch self {} }
  public mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure) { switch self {} }
  public func beginWriting(descriptor: Int32) { switch self {} }
  public func endWriting(descriptor: Int32) { switch self {} }
  @_lifetime(&self)
  public mutating func acquireBuffer() -> MutableRawSpan? { switch self {} }
  public mutating func submitBuffer(timestampMicroseconds: UInt64) throws(DeviceFailure) { switch self {} }
  public mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int? { switch self {} }
  public mutating func nextPacket() throws(DeviceFailure) -> CodedPacket? { switch self {} }
  public func copy(_ packet: CodedPacket, into buffer: inout MutableRawSpan) { switch self {} }
  public mutating func release(_ packet: CodedPacket) throws(DeviceFailure) { switch self {} }
  public mutating func requestKeyframe() { switch self {} }
  public mutating func drain() throws(DeviceFailure) { switch self {} }
  public var isRunningDry: Bool { switch self {} }
  public func wait(milliseconds: Int32) { switch self {} }
  public mutating func close() { switch self {} }
}

extension DeviceFailure {
  /// The failure of a machine without an encoder.
  public static func noVideoEncoder(_ request: VideoEncoderRequest) -> DeviceFailure {
    DeviceFailure(
      device: .encoder, kind: .absent, subject: request.deviceName, problem: "does not exist: this machine has none",
      remedy: "set [video] codec = mjpeg")
  }
}
