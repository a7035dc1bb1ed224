import Base
import Console
import Machine
import Record

/// How well the loop keeps time.
package struct LoopMetrics: ~Copyable, Sendable {
  private let place = StaysInPlace()
  /// The ticks of the clock since the first, as of the last wake.
  package internal(set) var tickCount: UInt64 = 0
  /// How often the loop has woken.
  package private(set) var wakeCount: UInt64 = 0
  /// Ticks that passed while a wake was overdue.
  package private(set) var missedCount: UInt64 = 0
  /// How long the machine had been suspended since its start, in nanoseconds.
  private var suspended: UInt64 = 0
  /// Time from the planned wake to the actual one.
  package private(set) var wakeLatency = Histogram()
  /// Time from waking to sleeping.
  package private(set) var work = Histogram()

  package init() {}

  /// - Parameter lateNanoseconds: nil for a wake that was not planned.
  mutating func recordWake(lateNanoseconds: UInt64?, missedTicks: UInt64) {
    wakeCount += 1
    missedCount += missedTicks
    if let lateNanoseconds { wakeLatency.record(microseconds: lateNanoseconds / 1000) }
  }

  /// While the machine goes to sleep and wakes, the clock runs but no program does: no wake is late by that.
  /// - Returns: whether the machine was suspended since the last time.
  mutating func noteSleep(_ suspended: UInt64) -> Bool {
    defer { self.suspended = suspended }
    return suspended >= self.suspended + UInt64(Limits.leastSleepNanoseconds)
  }

  mutating func recordWork(nanoseconds: UInt64) {
    work.record(microseconds: nanoseconds / 1000)
  }

  /// Clears the times; the counts continue.
  mutating func resetTimes() {
    wakeLatency = Histogram()
    work = Histogram()
  }

  /// The figures that `status json` reports.
  var summary: LoopSummary {
    LoopSummary(
      tickCount: tickCount, missedCount: missedCount,
      wakeMicroseconds: [
        wakeLatency.percentile(permille: 500), wakeLatency.percentile(permille: 990),
        wakeLatency.percentile(permille: 999),
      ],
      workMicroseconds: work.percentile(permille: 999))
  }
}

/// ``LoopMetrics`` in a few figures.
struct LoopSummary {
  let tickCount: UInt64
  let missedCount: UInt64
  /// The 50th, 99th and 99.9th percentiles of the wake latency.
  let wakeMicroseconds: InlineArray<3, UInt64>
  /// The 99.9th percentile of the time from waking to sleeping.
  let workMicroseconds: UInt64
}

/// The durations that `timing` reports.
enum TimingKind: UInt8 {
  /// From the planned wake of the loop to the actual one.
  case wake
  /// From waking to sleeping.
  case work
  /// See ``FirstSampleWatch``.
  case button
  /// Encoding a picture as a JPEG.
  case encode
  /// Writing a fragment of a take, with its flushes.
  case write
  /// Each flush of a take.
  case flush

  static var count: UInt8 { flush.rawValue + 1 }

  /// The name in text and machine-readable output.
  var name: StaticString { Self.names[Int(rawValue)] }

  private static var names: InlineArray<6, StaticString> {
    ["wake", "work", "button", "encode", "write", "flush"]
  }
}

/// The durations of one kind.
struct TimingReport {
  let kind: TimingKind
  let times: Histogram

  private static var labelColumns: Int { 12 }
  /// Columns per octave. The longest octave, half an hour and more, would exceed 80 columns: it is added to the last.
  private static var barColumns: Int { 2 }
  private static var barCount: Int { 31 }

  fileprivate func reportPercentiles(_ console: inout ConsoleSession) {
    console.beginRow(kind.name)
    console.name(kind.name, columns: Self.labelColumns)
    console.cell("count", .count(times.totalCount), columns: 10)
    console.cell("p50_us", .count(times.percentile(permille: 500)), columns: 11)
    console.cell("p90_us", .count(times.percentile(permille: 900)), columns: 11)
    console.cell("p99_us", .count(times.percentile(permille: 990)), columns: 11)
    console.cell("p999_us", .count(times.percentile(permille: 999)), columns: 11)
    console.cell("max_us", .count(times.maximumMicroseconds), columns: 11)
    console.endRow()
  }

  /// Prints a bar for each octave, whose height is the number of digits of its count relative to the largest count's: a
  /// single late wake among a million is still seen.
  fileprivate func reportBars(_ console: inout ConsoleSession) {
    var line = FixedText<256>(console.label(kind.name, columns: Self.labelColumns).bytes)
    var largest: UInt64 = 0
    for octave in 0..<Histogram.octaveCount { largest = max(largest, times.count(inOctave: octave)) }
    for octave in 0..<Self.barCount {
      var count = times.count(inOctave: octave)
      if octave == Self.barCount - 1 { count += times.count(inOctave: octave + 1) }
      for _ in 0..<Self.barColumns { line.append(scalar: Self.bar(count, of: largest, console.looks.hasBlocks)) }
    }
    while line.bytes.hasSuffix(" ") { line.truncate(to: line.byteCount - 1) }
    console.quote(line)
  }

  private static func bar(_ count: UInt64, of largest: UInt64, _ hasBlocks: Bool) -> Unicode.Scalar {
    guard count > 0 else { return " " }
    let digits = UInt64.bitWidth - 1 - count.leadingZeroBitCount
    let most = UInt64.bitWidth - 1 - largest.leadingZeroBitCount
    let height = UInt32(1 + 7 * digits / max(most, 1))
    // U+2581 is one eighth of a block, and U+2588 a full block.
    if hasBlocks { return Unicode.Scalar(0x2580 + height) ?? " " }
    let signs: InlineArray<8, Unicode.Scalar> = [".", ":", "-", "=", "+", "*", "#", "@"]
    return signs[Int(height) - 1]
  }
}

extension Services {
  mutating func run(_ order: TimingOrder, _ metrics: borrowing LoopMetrics) {
    switch order {
    case .show(let form): reportTimes(form, metrics)
    case .csv:
      console.quote("timing,from_us,to_us,count" as FixedText<32>)
      console.pending = .timing(kind: 0, bucket: 0)
    case .reset:
      recording.encoderCounters.times.reset()
      recording.progress.writes.reset()
      recording.progress.flushes.reset()
      recording.firstSample.times = Histogram()
      timing.reset()
      console.complete()
    }
  }

  /// At each tick while `timing csv` is pending: prints a line for each non-empty bucket, as far as there is space.
  mutating func tellTimes(from bucket: Int, of number: UInt8, _ metrics: borrowing LoopMetrics) {
    guard let kind = TimingKind(rawValue: number), !console.takeInterrupt() else { return console.complete() }
    let times = times(kind, metrics)
    for bucket in bucket..<Histogram.bucketCount {
      let count = times.count(inBucket: bucket)
      guard count > 0 else { continue }
      guard console.canReply else { return console.pending = .timing(kind: number, bucket: bucket) }
      console.quote(
        """
        \(kind.name),\(Histogram.lowerBound(ofClass: bucket)),\(Histogram.upperBound(ofClass: bucket)),\(count)
        """ as FixedText<96>)
    }
    console.pending = .timing(kind: number + 1, bucket: 0)
  }

  private mutating func reportTimes(_ form: StatusForm, _ metrics: borrowing LoopMetrics) {
    console.beginReport(form)
    console.head("µs               count        p50        p90        p99      p99.9    longest")
    for number in 0..<TimingKind.count { report(number, metrics)?.reportPercentiles(&console) }
    if form == .lines {
      // Ten octaves are a factor of 1,024.
      console.quote("            1 µs                1 ms                1 s" as FixedText<64>)
      for number in 0..<TimingKind.count { report(number, metrics)?.reportBars(&console) }
    }
    console.endReport()
  }

  private func report(_ number: UInt8, _ metrics: borrowing LoopMetrics) -> TimingReport? {
    TimingKind(rawValue: number).map { TimingReport(kind: $0, times: times($0, metrics)) }
  }

  private func times(_ kind: TimingKind, _ metrics: borrowing LoopMetrics) -> Histogram {
    switch kind {
    case .wake: metrics.wakeLatency
    case .work: metrics.work
    case .button: recording.firstSample.times
    case .encode: recording.encoderCounters.times.histogram
    case .write: recording.progress.writes.histogram
    case .flush: recording.progress.flushes.histogram
    }
  }
}

/// `timing`: the loop owns its times, which are reset at the end of a tick.
struct TimingService {
  private var isResetWanted = false

  mutating func reset() { isResetWanted = true }

  /// - Returns: whether the loop's times are to be reset; true only once per request.
  mutating func takesReset() -> Bool {
    defer { isResetWanted = false }
    return isResetWanted
  }
}

/// The time from the contact of the record button to the first sample after it, or the first picture without a
/// microphone: the buffering of card and loop, and before that the opening of closed devices.
struct FirstSampleWatch {
  var times = Histogram()
  /// When the button was pressed; nil once its first sample has come.
  var contact: Instant?
}

extension RecordingService {
  /// At each exchange, once the devices have been read.
  mutating func watchFirstSample(at now: Instant) {
    guard let contact = firstSample.contact, !capture.isClosed,
      arrivedPosition > capture.position(at: contact)
    else { return }
    firstSample.times.record(microseconds: now.distance(since: contact) / 1000)
    firstSample.contact = nil
  }
}
