import Values
import Text

/// The machine's own encoder of moving pictures. Pictures go in, in order; packets come out, in the same order.
///
/// It belongs to the thread that codes. But for ``wait(milliseconds:)`` no call waits for it.
public protocol VideoEncoder: ~Copyable {
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

  /// The processor is about to write into memory that the device reads by `descriptor`.
  func beginWriting(descriptor: Int32)

  /// It has written.
  func endWriting(descriptor: Int32)

  /// Room for a copy of the next picture, in the layout of ``input``; nil while there is none. Only while ``input`` is
  /// copied.
  @_lifetime(&self)
  mutating func acquireRoom() -> MutableRawSpan?

  /// Hands over what was written into the room of ``acquireRoom()``.
  mutating func submitRoom(timestampMicroseconds: UInt64) throws(DeviceFailure)

  /// A slot whose picture the encoder has no more use for; nil when there is none.
  mutating func nextEmptiedSlot() throws(DeviceFailure) -> Int?

  /// The oldest coded picture; nil when there is none. Its bytes stay until ``release(_:)``.
  mutating func nextPacket() throws(DeviceFailure) -> CodedPacket?

  /// Copies a packet's bytes to the beginning of `room`, which has as many at least.
  func copy(_ packet: CodedPacket, into room: inout MutableRawSpan)

  /// Gives a packet's room back to the encoder.
  mutating func release(_ packet: CodedPacket) throws(DeviceFailure)

  /// Asks that one of the next pictures can be decoded without those before it; not every encoder listens.
  mutating func requestKeyframe()

  /// No picture follows: what is in the encoder is to come out. It takes the next picture once ``isRunningDry`` is false.
  mutating func drain() throws(DeviceFailure)

  /// Whether it was told to ``drain()``, and has not given its last packet.
  var isRunningDry: Bool { get }

  /// Returns when there may be a packet or an emptied slot, at the latest after `milliseconds`.
  func wait(milliseconds: Int32)

  /// Lets go of the device and of all memory. Nothing happens when it is closed.
  mutating func close()
}
