import Base
import Wire

/// A process beside the recorder that opens media files and writes their sound into a shared ring. A hostile file can
/// crash that process, and nothing else.
///
/// Its calls may take as long as a stalled card takes: they are made only on the thread of the worker that owns it.
package protocol DecoderDriver: ~Copyable {
  /// The PCM ring, mapped for the life of the recorder; what was extracted, for a decoder that only probes.
  var ringMemory: UnsafeRawBufferPointer { get }

  /// Whether answers may be waited for: on a virtual clock, where no time passes.
  var isInStep: Bool { get }

  /// Whether there is a process that takes orders.
  var isRunning: Bool { get }

  /// Starts a process; one that runs is ended first.
  /// - Throws: when the program is missing, or the system gives no process.
  mutating func start() throws(DeviceFailure)

  /// Ends the process. Does nothing when none runs.
  mutating func stop()

  /// Sends an order that needs no file.
  /// - Throws: when the process is gone.
  mutating func send(_ order: DecoderOrder) throws(DeviceFailure)

  /// Opens a file for reading and sends it with an order.
  /// - Parameter path: relative to the data folder, or absolute; or the address of a stream, which a service of its own
  ///   fetches.
  /// - Throws: of device `stream` when that service refuses it, of device `storage` when there is no such file or it
  ///   cannot be opened: then nothing was sent; of device `decoder` when the process is gone.
  mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure)

  /// The oldest message that has not been taken.
  /// - Parameter waitNanoseconds: how long to wait for one, by the system's own clock; 0: not at all.
  /// - Returns: nil when none has come.
  /// - Throws: when the process is gone, or sent what is not a message; it is then ended.
  mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage?

  /// Whether a stream was sent with the last order to open something.
  var hasStream: Bool { get }

  /// What the fetching service tells of the stream that was sent last; nil when there is nothing new.
  mutating func nextFetchEvent() -> FetchEvent?

  /// Tells the fetching service when a position of the stream that was sent last is heard. Does nothing when there is
  /// none.
  mutating func tell(_ heard: HeardPosition)

  /// Ends the stream's connection at once. Does nothing when there is none.
  mutating func cutStream()
}

extension DecoderDriver where Self: ~Copyable {
  /// A decoder without streams.
  package var hasStream: Bool { false }
  /// Nothing.
  package mutating func nextFetchEvent() -> FetchEvent? { nil }
  /// Does nothing.
  package mutating func tell(_ heard: HeardPosition) {}
  /// Does nothing.
  package mutating func cutStream() {}
}

/// What a decoder's process decodes into.
package struct DecoderSetup: BitwiseCopyable, Equatable, Sendable {
  /// The speaker's format: everything is converted to it.
  package var format: AudioFormat
  /// Bytes of the PCM ring, whole frames.
  package var ringByteCount: Int
  /// Whether it only probes: the ring is then an ``Decoding/ExtractMemory``.
  package var isProber = false
  /// Of the recorder, for servers of streams.
  package var identity: DeviceIdentity

  package init(
    format: AudioFormat, ringByteCount: Int, identity: DeviceIdentity = DeviceIdentity(high: 0, low: 0)
  ) {
    self.format = format
    self.ringByteCount = ringByteCount
    self.identity = identity
  }

  /// A decoder that only probes, whatever the speaker's format is.
  package static var prober: DecoderSetup {
    var setup = DecoderSetup(
      format: AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16),
      ringByteCount: ExtractMemory.byteCount)
    setup.isProber = true
    return setup
  }
}
