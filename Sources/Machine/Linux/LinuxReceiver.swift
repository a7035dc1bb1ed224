import Base
import CLinux

/// A receiver on a serial port, which is opened again after it was pulled.
package struct LinuxReceiver: ReceiverDriver, ~Copyable {
  /// Nil if there is none.
  private let device: SerialDevice?
  private var line: FileDescriptor?
  /// The line's number while it is open.
  private var number: Int32 = -1
  private var talk: ReceiverTalk

  package init(_ device: SerialDevice?) {
    self.device = device
    talk = ReceiverTalk(baudRate: device?.baudRate ?? 0)
  }

  /// The kernel keeps up to 4,095 bytes: what a receiver sends in 4 s at 9,600 baud.
  package mutating func read() throws(DeviceFailure) -> ReceiverReport? {
    guard let device else { return nil }
    if line == nil {
      let opened = try device.open()
      number = opened.number
      line = consume opened
    }
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    for _ in 0..<8 {
      let number = number
      var span = bytes.mutableSpan
      let count = unsafe span.withUnsafeMutableBytes { buffer in
        retryingWhenInterrupted { unsafe CLinux.read(number, buffer.baseAddress!, buffer.count) }
      }
      if count < 0, lastSystemError == EAGAIN { break }
      guard count > 0 else {
        let reason = count < 0 ? lastSystemError : ENODEV
        line = nil
        throw device.failure("was unplugged", reason)
      }
      talk.take(bytes.span.extracting(first: count), at: .now)
    }
    return talk.report(at: .now)
  }
}
