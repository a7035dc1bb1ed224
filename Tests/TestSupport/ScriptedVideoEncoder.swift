import Board
import Text

/// An encoder that does what its script says.
public struct ScriptedVideoEncoder: VideoEncoder, ~Copyable {
  private let script: EncoderScript
  public let deviceName: FixedText<64> = "/dev/video11"
  public var input: EncoderInput { script.input }

  public init(_ script: EncoderScript) { self.script = script }

  public mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure) {
    try script.check()
    script.submit(EncoderScript.Picture(slot: slot, timestampMicroseconds: timestampMicroseconds))
  }

  @_lifetime(&self)
  public mutating func acquireRoom() -> MutableRawSpan? {
    guard !script.isRunningDry, script.inside.count < 4 else { return nil }
    let bytes = unsafe script.room.withUnsafeMutableBytes { unsafe $0 }
    let span = unsafe MutableRawSpan(_unsafeBytes: bytes)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  public mutating func submitRoom(timestampMicroseconds: UInt64) throws(DeviceFailure) {
    try script.check()
    script.submit(EncoderScript.Picture(slot: -1, timestampMicroseconds: timestampMicroseconds))
  }

  public mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int? {
    try script.check()
    return script.emptied.isEmpty ? nil : script.emptied.removeFirst()
  }

  public mutating func nextPacket() throws(DeviceFailure) -> CodedPacket? {
    try script.check()
    defer { script.endDrainingIfDry() }
    return script.packets.isEmpty ? nil : script.packets.removeFirst()
  }

  public func copy(_ packet: CodedPacket, into room: inout MutableRawSpan) {
    for (index, byte) in EncoderScript.bytes(timestampMicroseconds: packet.timestampMicroseconds).enumerated() {
      room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  public mutating func release(_ packet: CodedPacket) throws(DeviceFailure) { try script.check() }
  public mutating func requestKeyframe() { script.requestKeyframe() }
  public mutating func drain() throws(DeviceFailure) {
    try script.check()
    script.drain()
  }
  public var isRunningDry: Bool { script.isRunningDry }
  public func wait(milliseconds: Int32) { script.wait(milliseconds: milliseconds) }
  public mutating func close() { script.close() }
}
