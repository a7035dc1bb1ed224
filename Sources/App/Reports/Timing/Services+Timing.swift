import Base
import Console
import Record

extension Services {
  mutating func run(_ order: TimingOrder, _ metrics: borrowing LoopMetrics) {
    switch order {
    case .show(.lines): tellTimes(metrics)
    case .show(.json): tellTimesAsJSON(metrics)
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

  /// At each tick while `timing csv` is pending: a line for each bucket that is not empty, as far as there is space.
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

  private mutating func tellTimes(_ metrics: borrowing LoopMetrics) {
    console.quote(TimingReport.head(console))
    for number in 0..<TimingKind.count {
      if let report = report(number, metrics) { console.quote(report.percentiles(console)) }
    }
    console.quote(TimingReport.scale(console))
    for number in 0..<TimingKind.count {
      if let report = report(number, metrics) { console.quote(report.bars(console)) }
    }
    console.complete()
  }

  private mutating func tellTimesAsJSON(_ metrics: borrowing LoopMetrics) {
    var line: FixedText<1200> = "{"
    for number in 0..<TimingKind.count {
      guard let report = report(number, metrics) else { continue }
      if number > 0 { line.append(",") }
      line.append(report.member)
    }
    line.append("}")
    console.quote(line)
    console.complete()
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
