import Base

/// Folds recorder restarts that brought nothing new: of consecutive runs with the same events, one is kept, followed by
/// a line that counts the others. A line is a date, a space and an event.
package struct FoldedRestarts: ~Copyable {
  private let log: KeptLog
  /// Where the next line is read, and where the next kept line goes.
  private var start = 0
  private var end = 0
  /// The newest kept run, without the count after it.
  private var kept = 0..<0
  private var count: UInt32 = 0
  private var date = FixedText<32>()

  /// Folds what the runs before this one left, at boot.
  @export(interface)
  package static func fold(_ log: KeptLog) {
    var folding = FoldedRestarts(log)
    folding.run()
  }

  private init(_ log: KeptLog) { self.log = log }

  private mutating func run() {
    // Lines before the first start belong to a run whose beginning has been cut off.
    keep(nextRun(isFirst: true))
    while start < log.text.count { take(nextRun(isFirst: false)) }
    writeCount(before: log.text.count)
    log.truncate(to: end)
  }

  /// The lines from here to the recorder's next start.
  private mutating func nextRun(isFirst: Bool) -> Range<Int> {
    let text = log.text
    let first = start
    while start < text.count, !text.line(at: start).isStart || !isFirst && start == first {
      start += text.line(at: start).count + 1
    }
    start = min(start, text.count)
    return first..<start
  }

  private mutating func take(_ run: Range<Int>) {
    let text = log.text
    var (lines, count) = (run, UInt32(0))
    var date = FixedText<32>(text.line(at: run.lowerBound).firstWord)
    let last = text.lastLine(in: run)
    if let folded = text.line(at: last.lowerBound).foldedCount {
      count = folded
      date = FixedText(text.line(at: last.lowerBound).firstWord)
      lines = run.lowerBound..<last.lowerBound
    }
    if !kept.isEmpty, text.isSameRun(kept, lines) {
      self.count += 1 + count
      self.date = date
    } else {
      writeCount(before: run.lowerBound)
      keep(lines)
      (self.count, self.date) = (count, date)
    }
  }

  private mutating func keep(_ lines: Range<Int>) {
    log.keep(lines, at: end)
    kept = end..<end + lines.count
    end = kept.upperBound
  }

  /// The folded lines are longer than the line that counts them.
  private mutating func writeCount(before limit: Int) {
    guard count > 0 else { return }
    let line: FixedText<96> = "\(date) \(Self.mark)\(count: count, "more restart")\n"
    guard end + line.byteCount <= limit else { return }
    log.put(line.bytes, at: end)
    end += line.byteCount
  }

  fileprivate static var mark: StaticString { "the same after " }
}

extension Span where Element == UInt8 {
  /// The text from a place to the end of its line.
  @_lifetime(copy self)
  fileprivate func line(at start: Int) -> Span<UInt8> {
    var end = start
    while end < count, self[end] != UInt8(ascii: "\n") { end += 1 }
    return extracting(start..<end)
  }

  fileprivate func lastLine(in range: Range<Int>) -> Range<Int> {
    var start = range.upperBound
    if start > range.lowerBound { start -= 1 }
    while start > range.lowerBound, self[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start..<range.upperBound
  }

  /// The part after the date.
  fileprivate var event: Span<UInt8> {
    @_lifetime(copy self)
    get { afterFirstWord }
  }

  /// Whether it is the first line of a run: `fieldcorder 0.1.0, device 9e19db12-…`.
  fileprivate var isStart: Bool {
    event.removingPrefix("fieldcorder ") != nil && event.contains((", device " as StaticString).utf8Bytes)
  }

  fileprivate var foldedCount: UInt32? {
    event.removingPrefix(FoldedRestarts.mark)?.firstWord.parseInteger(as: UInt32.self)
  }

  /// Whether two runs differ only in their dates.
  fileprivate func isSameRun(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    var (one, other) = (first.lowerBound, second.lowerBound)
    while one < first.upperBound, other < second.upperBound {
      let (line, otherLine) = (line(at: one), self.line(at: other))
      guard line.event.equals(otherLine.event) || line.isOfClock && otherLine.isOfClock else { return false }
      one += line.count + 1
      other += otherLine.count + 1
    }
    return one >= first.upperBound && other >= second.upperBound
  }

  /// The time differs at each start.
  fileprivate var isOfClock: Bool { event.removingPrefix("the clock was set: ") != nil }
}
