import CFFmpeg
import CLinux
import Decoding
import Posix

/// The recorder's end of the conversation: orders come in, each with its file where it needs one, messages go out.
@safe struct OrderSocket: ~Copyable {
  struct Received: ~Copyable {
    var order: DecoderOrder
    var file: FileDescriptor?
  }

  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next order, waited for. Packets that are no order are passed over.
  /// - Returns: nil when the recorder has gone.
  func receive() -> Received? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    while true {
      var fileNumber: Int32 = -1
      let count = unsafe bytes.mutableSpan.withUnsafeMutableBufferPointer { room in
        retryingWhenInterrupted { unsafe linux_receive_with_file(descriptor, room.baseAddress, room.count, &fileNumber) }
      }
      let file: FileDescriptor? = fileNumber >= 0 ? FileDescriptor(owning: fileNumber) : nil
      guard count > 0 else { return nil }
      if let order = DecoderOrder(decoding: bytes.span.extracting(first: count).bytes) {
        return Received(order: order, file: file)
      }
    }
  }

  func send(_ message: DecoderMessage) {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    var room = bytes.mutableSpan.mutableBytes
    let count = message.encode(into: &room)
    unsafe bytes.span.withUnsafeBufferPointer { bytes in
      _ = retryingWhenInterrupted { unsafe CLinux.send(descriptor, bytes.baseAddress, count, Int32(MSG_NOSIGNAL.rawValue)) }
    }
  }
}
