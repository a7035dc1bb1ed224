import Decoding
import Text

/// A process beside the recorder that opens media files and puts their sound into a ring that both see. A file can make
/// it fall at any moment, and nothing but it.
///
/// Its calls may take as long as a stalled card takes: they are made only on the thread of the worker that owns it.
public protocol Decoder: ~Copyable {
  /// The PCM ring, mapped for the life of the recorder; no bytes for a decoder that only probes.
  var ringMemory: UnsafeRawBufferPointer { get }

  /// Whether an answer may be waited for because no time passes meanwhile: on a virtual clock.
  var isInStep: Bool { get }

  /// Whether there is a process that takes orders.
  var isRunning: Bool { get }

  /// Starts a process; one that runs is ended first.
  /// - Throws: when the program is missing, or the system gives no process.
  mutating func start() throws(DeviceFailure)

  /// Ends the process. Nothing happens when none runs.
  mutating func stop()

  /// Sends an order that needs no file.
  /// - Throws: when the process is gone.
  mutating func send(_ order: DecoderOrder) throws(DeviceFailure)

  /// Opens a file for reading and sends it with an order.
  /// - Parameter path: relative to the data folder, or absolute.
  /// - Throws: of device `storage` when there is no such file or it cannot be opened: then nothing was sent; of device
  ///   `decoder` when the process is gone.
  mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure)

  /// The oldest message that has not been taken.
  /// - Parameter waitNanoseconds: how long to wait for one, by the system's own clock; 0: not at all.
  /// - Returns: nil when none has come.
  /// - Throws: when the process is gone, or said something that is no message; it is ended then.
  mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage?
}
