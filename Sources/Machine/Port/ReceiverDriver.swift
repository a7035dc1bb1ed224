import Base
import Wire

/// A satellite receiver on a serial line.
package protocol ReceiverDriver: SlowDevice, ~Copyable where Order == ReceiverOrder, Outcome == ReceiverReport? {
  /// Takes what it has sent.
  /// - Returns: nil if none is configured.
  /// - Throws: if it cannot be reached. The next call tries again.
  mutating func read() throws(DeviceFailure) -> ReceiverReport?
}

/// An order to the device worker for the receiver.
package enum ReceiverOrder: BitwiseCopyable, Sendable {
  /// The outcome is what is known from it.
  case read
}

extension ReceiverDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: ReceiverOrder) throws(DeviceFailure) -> ReceiverReport? { try read() }
}

/// What is known from a receiver.
package struct ReceiverReport: BitwiseCopyable, Sendable {
  package var state = ReceiverState.silent
  package var quality = FixQuality()
  package var time: SatelliteTime?
  /// How much earlier than noted the sentence with the time may have arrived.
  package var lagNanoseconds: UInt64 = 0
  package var sentenceCount: UInt64 = 0
  package var errorCount: UInt64 = 0
  package var jumpCount: UInt64 = 0
  package var refusedTimeCount: UInt64 = 0

  package init() {}

  /// How often it said something that cannot be.
  package var complaintCount: UInt64 { errorCount + jumpCount + refusedTimeCount }
}

/// Follows a receiver, from its bytes on.
struct ReceiverTalk {
  private var reader = NMEAReader()
  private var watch = PositionWatch(plausibleUnixSeconds: ClockSource.plausibleUnixSeconds)
  /// What the line takes to transmit a byte: ten bits.
  private let byteNanoseconds: UInt64
  /// When the line was empty, as far as known.
  private var lastEmpty: Instant = 0
  /// The latest instant at which the present sentence can have begun to arrive, and how much earlier it may have.
  private var start: Instant = 0
  private var startLag: UInt64 = 0
  private var timeLag: UInt64 = 0

  init(baudRate: UInt32) { byteNanoseconds = 10_000_000_000 / UInt64(max(baudRate, 1)) }

  /// Takes bytes that were there at an instant: each has arrived since the line was empty, one after the other.
  mutating func take(_ bytes: Span<UInt8>, at now: Instant) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "$") {
        start = max(now.earlier(by: UInt64(bytes.count - index) * byteNanoseconds), lastEmpty)
        startLag = start - lastEmpty
      }
      guard let sentence = reader.take(bytes[index]) else { continue }
      watch.take(sentence, at: start)
      if case .minimum(_, .some) = sentence { timeLag = startLag }
    }
  }

  /// The line is empty now.
  mutating func report(at now: Instant) -> ReceiverReport {
    lastEmpty = now
    var report = ReceiverReport()
    report.state = watch.state(at: now)
    report.quality = watch.quality(at: now)
    report.time = watch.time(at: now)
    report.lagNanoseconds = timeLag
    report.sentenceCount = reader.sentenceCount
    report.errorCount = reader.errorCount
    report.jumpCount = watch.jumpCount
    report.refusedTimeCount = watch.refusedTimeCount
    return report
  }
}
