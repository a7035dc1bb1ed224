import Base
import Wire

/// A process beside the recorder that opens media files and writes their sound into a shared ring. A malicious file can
/// crash that process, and nothing else.
///
/// Its calls may take as long as a stalled card takes: they are made only on the thread of the worker that owns it.
package protocol DecoderDriver: ~Copyable {
  /// The PCM ring, mapped for the life of the recorder; for a decoder that only probes, the extracted data.
  var ringMemory: UnsafeRawBufferPointer { get }

  /// Whether the caller may block for answers: true on a virtual clock, on which no time passes.
  var isInStep: Bool { get }

  /// Whether a process is running that takes orders.
  var isRunning: Bool { get }

  /// Starts a process, after ending one that is running.
  /// - Throws: if the program is missing, or the system cannot start a process.
  mutating func start() throws(DeviceFailure)

  /// Ends the process. Does nothing if none runs.
  mutating func stop()

  /// Sends an order that needs no file.
  /// - Throws: if the process has gone.
  mutating func send(_ order: DecoderOrder) throws(DeviceFailure)

  /// Opens a file for reading and sends it with an order.
  /// - Parameter path: relative to the data folder, or absolute; or the address of a stream, which a separate service
  ///   fetches.
  /// - Throws: of device `stream` if that service refuses it; of device `storage` if there is no such file or it cannot
  ///   be opened, and nothing was sent; of device `decoder` if the process has gone.
  mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure)

  /// The oldest message not yet taken.
  /// - Parameter waitNanoseconds: how long to wait for one, on the system's own clock; 0 to return at once.
  /// - Returns: nil if none has arrived.
  /// - Throws: if the process has gone, or sent something that is not a message; it is then ended.
  mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage?

  /// Wakes a thread when there may be a message, or a report on the stream; a decoder without a process adds nothing.
  func add(to sources: inout WakeSources)

  /// Whether the last order that opened something sent a stream.
  var hasStream: Bool { get }

  /// The fetching service's next report on the stream that was sent last; nil if there is nothing new.
  mutating func nextFetchEvent() -> FetchEvent?

  /// Tells the fetching service when a position of the stream that was sent last is heard. Does nothing without a
  /// stream.
  mutating func tell(_ heard: HeardPosition)

  /// Closes the stream's connection at once. Does nothing if there is none.
  mutating func cutStream()
}

extension DecoderDriver where Self: ~Copyable {
  /// For a decoder that is always asked.
  package func add(to sources: inout WakeSources) {}
  /// A decoder without streams.
  package var hasStream: Bool { false }
  package mutating func nextFetchEvent() -> FetchEvent? { nil }
  /// Does nothing.
  package mutating func tell(_ heard: HeardPosition) {}
  /// Does nothing.
  package mutating func cutStream() {}
}

/// The settings of a decoder process.
package struct DecoderSetup: BitwiseCopyable, Equatable, Sendable {
  /// The speaker's format, to which everything is converted.
  package var format: AudioFormat
  /// The size of the PCM ring, in whole frames.
  package var ringByteCount: Int
  /// Whether it only probes: the ring is then an ``Decoding/ExtractMemory``.
  package var isProber = false
  /// The recorder's identity, sent to stream servers.
  package var identity: DeviceIdentity

  package init(format: AudioFormat, ringByteCount: Int, identity: DeviceIdentity = DeviceIdentity(high: 0, low: 0)) {
    self.format = format
    self.ringByteCount = ringByteCount
    self.identity = identity
  }

  /// A decoder that only probes, independent of the speaker's format.
  package static var prober: DecoderSetup {
    var setup = DecoderSetup(
      format: AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16),
      ringByteCount: ExtractMemory.byteCount)
    setup.isProber = true
    return setup
  }
}
