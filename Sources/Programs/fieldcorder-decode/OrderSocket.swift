import CLinux
import Decoding
import Posix

/// The recorder's end of the conversation: orders come in, each with its file where it needs one, messages go out.
struct OrderSocket: ~Copyable {
  struct Received: ~Copyable {
    let order: DecoderOrder
    let file: FileDescriptor?
  }

  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next order, waited for.
  /// - Returns: nil when the recorder has gone, or says what is no order.
  func receive() -> Received? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var number: Int32 = -1
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer { room in
      retryingWhenInterrupted {
        unsafe linux_receive_packet(descriptor, room.baseAddress, room.count, 0, &number)
      }
    }
    let file: FileDescriptor? = number >= 0 ? FileDescriptor(owning: number) : nil
    guard count > 0, count <= bytes.count,
      let order = unsafe DecoderOrder(decoding: bytes.span.extracting(first: count).bytes)
    else { return nil }
    return Received(order: order, file: file)
  }

  /// Waits until the recorder has room for it.
  func send(_ message: DecoderMessage) {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    let count = message.encode(into: &room)
    unsafe room.bytes.withUnsafeBytes { bytes in
      _ = retryingWhenInterrupted { unsafe CLinux.send(descriptor, bytes.baseAddress, count, 0) }
    }
  }
}
