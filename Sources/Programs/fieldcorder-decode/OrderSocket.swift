import CLinux
import Machine
import Wire

/// The socket to the recorder: orders come in, with a file where they need one, and messages go out.
struct OrderSocket: ~Copyable {
  struct Received: ~Copyable {
    let order: DecoderOrder
    let file: FileDescriptor?
  }

  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for an order, or its end.
  /// - Returns: whether there is one.
  func waits(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }

  /// Waits for the next order.
  /// - Returns: nil when the recorder is gone, or sent something else.
  func receive() -> Received? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var number: Int32 = -1
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer { buffer in
      retryingWhenInterrupted {
        unsafe linux_receive_packet(descriptor, buffer.baseAddress, buffer.count, 0, &number)
      }
    }
    let file: FileDescriptor? = number >= 0 ? FileDescriptor(owning: number) : nil
    guard count > 0, count <= bytes.count,
      let order = unsafe DecoderOrder(decoding: bytes.span.extracting(first: count).bytes)
    else { return nil }
    return Received(order: order, file: file)
  }

  /// Waits until the socket has space.
  func send(_ message: DecoderMessage) {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = message.encode(into: &buffer)
    unsafe buffer.bytes.withUnsafeBytes { bytes in
      _ = retryingWhenInterrupted { unsafe CLinux.send(descriptor, bytes.baseAddress, count, 0) }
    }
  }
}
