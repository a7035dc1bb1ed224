import Port
import Decoding

/// What the decoder's worker has to tell the loop. Every number in it fits what was asked.
public enum DecoderReport: BitwiseCopyable, Sendable {
  /// The process says so, or the worker does in its place: that a file took too long, or made it fall.
  case message(DecoderMessage)
  /// The order with this ticket was not sent: there is no such file (the failure's device is `storage`), or no process
  /// to be had (`decoder`).
  case cannotOpen(ticket: UInt32, DeviceFailure)
  /// The process is gone, and with it all that it had open; what it wrote into the ring is still there. A file that it
  /// was opening was refused before.
  case fell(DeviceFailure)
}
