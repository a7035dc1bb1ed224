import Port
import Text

/// An encoder that does what its script says.
public struct ScriptedVideoEncoder: VideoEncoder, ~Copyable {
  private let script: EncoderScript
  /// The name of a Raspberry Pi's.
  public let deviceName: FixedText<64> = "/dev/video11"
  /// As the script says.
  public var input: EncoderInput { script.input }

  /// An encoder that is open.
  public init(_ script: EncoderScript) { self.script = script }

  /// Fails where the encoder is gone.
  public mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure) {
    try script.check()
    script.submit(
      EncoderScript.Picture(slot: slot, timestampMicroseconds: timestampMicroseconds, descriptor: descriptor))
  }

  /// The script keeps who is being written to.
  public func beginWriting(descriptor: Int32) { script.writtenDescriptors.insert(descriptor) }

  /// As ``beginWriting(descriptor:)``.
  public func endWriting(descriptor: Int32) { script.writtenDescriptors.remove(descriptor) }

  /// Four pictures fit.
  @_lifetime(&self)
  public mutating func acquireBuffer() -> MutableRawSpan? {
    guard !script.isRunningDry, script.inside.count < 4 else { return nil }
    let bytes = unsafe script.room.withUnsafeMutableBytes { unsafe $0 }
    let span = unsafe MutableRawSpan(_unsafeBytes: bytes)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Fails where the encoder is gone.
  public mutating func submitBuffer(timestampMicroseconds: UInt64) throws(DeviceFailure) {
    try script.check()
    script.submit(EncoderScript.Picture(slot: -1, timestampMicroseconds: timestampMicroseconds))
  }

  /// In the order in which they went in.
  public mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int? {
    try script.check()
    return script.emptied.isEmpty ? nil : script.emptied.removeFirst()
  }

  /// In the order in which they went in.
  public mutating func nextPacket() throws(DeviceFailure) -> CodedPacket? {
    try script.check()
    defer { script.endDrainingIfDry() }
    return script.packets.isEmpty ? nil : script.packets.removeFirst()
  }

  /// A packet is the timestamp of its picture.
  public func copy(_ packet: CodedPacket, into room: inout MutableRawSpan) {
    for (index, byte) in EncoderScript.bytes(timestampMicroseconds: packet.timestampMicroseconds).enumerated() {
      room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Fails where the encoder is gone.
  public mutating func release(_ packet: CodedPacket) throws(DeviceFailure) { try script.check() }
  /// The next picture is one.
  public mutating func requestKeyframe() { script.requestKeyframe() }
  /// What was kept comes out.
  public mutating func drain() throws(DeviceFailure) {
    try script.check()
    script.drain()
  }
  /// Until the last packet was fetched.
  public var isRunningDry: Bool { script.isRunningDry }
  /// Counts; nobody sleeps.
  public func wait(milliseconds: Int32) { script.wait(milliseconds: milliseconds) }
  /// All that is inside is gone.
  public mutating func close() { script.close() }
}
