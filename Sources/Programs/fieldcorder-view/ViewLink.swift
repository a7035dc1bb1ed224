import CLinux
import Text

/// Where the recorder is told how it goes, a line a packet, and where it is seen that the recorder has gone.
struct ViewLink {
  let descriptor: Int32

  /// A recorder that does not listen is not waited for.
  func tell(_ line: FixedText<256>) {
    unsafe line.bytes.withUnsafeBufferPointer {
      _ = unsafe linux_send_packet(descriptor, $0.baseAddress, $0.count, -1)
    }
  }
}
