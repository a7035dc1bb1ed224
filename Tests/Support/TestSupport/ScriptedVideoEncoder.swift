import Base
import Machine

/// An encoder controlled by its script.
package struct ScriptedVideoEncoder: VideoEncoderDriver, ~Copyable {
  private let script: EncoderScript
  /// The device name on a Raspberry Pi.
  package let deviceName: FixedText<64> = "/dev/video11"
  /// As set in the script.
  package var input: EncoderInput { script.input }

  /// An open encoder.
  package init(_ script: EncoderScript) { self.script = script }

  /// Fails if the encoder is gone.
  package mutating func submit(
    slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64
  ) throws(DeviceFailure) {
    try script.check()
    script.submit(
      EncoderScript.Picture(slot: slot, timestampMicroseconds: timestampMicroseconds, descriptor: descriptor))
  }

  /// Recorded by the script.
  package func beginWriting(descriptor: Int32) { script.writtenDescriptors.insert(descriptor) }

  /// Recorded by the script.
  package func endWriting(descriptor: Int32) { script.writtenDescriptors.remove(descriptor) }

  /// Four pictures fit.
  @_lifetime(&self)
  package mutating func acquireBuffer() -> MutableRawSpan? {
    guard !script.isRunningDry, script.inside.count < 4 else { return nil }
    let bytes = unsafe script.room.withUnsafeMutableBytes { unsafe $0 }
    let span = unsafe MutableRawSpan(_unsafeBytes: bytes)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Fails if the encoder is gone.
  package mutating func submitBuffer(timestampMicroseconds: UInt64) throws(DeviceFailure) {
    try script.check()
    script.submit(EncoderScript.Picture(slot: -1, timestampMicroseconds: timestampMicroseconds))
  }

  /// In the order of submission.
  package mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int? {
    try script.check()
    return script.emptied.isEmpty ? nil : script.emptied.removeFirst()
  }

  /// In the order of submission.
  package mutating func nextPacket() throws(DeviceFailure) -> CodedPacket? {
    try script.check()
    defer { script.endDrainingIfDry() }
    return script.packets.isEmpty ? nil : script.packets.removeFirst()
  }

  /// A packet is the timestamp of its picture.
  package func copy(_ packet: CodedPacket, into room: inout MutableRawSpan) {
    for (index, byte) in EncoderScript.bytes(timestampMicroseconds: packet.timestampMicroseconds).enumerated() {
      room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Fails if the encoder is gone.
  package mutating func release(_ packet: CodedPacket) throws(DeviceFailure) { try script.check() }
  /// Makes the next picture a keyframe.
  package mutating func requestKeyframe() { script.requestKeyframe() }
  /// Releases the pictures that were kept.
  package mutating func drain() throws(DeviceFailure) {
    try script.check()
    script.drain()
  }
  /// True until the last packet has been fetched.
  package var isRunningDry: Bool { script.isRunningDry }
  /// Only counts; it does not sleep.
  package func wait(milliseconds: Int32) { script.wait(milliseconds: milliseconds) }
  /// Discards all pictures inside.
  package mutating func close() { script.close() }
}
