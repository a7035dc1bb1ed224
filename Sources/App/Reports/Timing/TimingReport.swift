import Base
import Console
import Machine

/// The lines of `timing` for one kind.
struct TimingReport {
  let kind: TimingKind
  let times: Histogram

  private static var labelColumns: Int { 12 }
  private static var countColumns: Int { 10 }
  private static var columns: Int { 11 }
  /// Of an octave; the longest, of half an hour and more, would not fit 80 columns, and is added to the last.
  private static var barColumns: Int { 2 }
  private static var barCount: Int { 31 }

  /// Above the percentiles.
  static func head(_ console: borrowing ConsoleSession) -> FixedText<256> {
    var line = FixedText<256>(console.label("µs", columns: labelColumns).bytes)
    line.append(right: FixedText(console.words("count").bytes), columns: countColumns)
    let titles: InlineArray<4, StaticString> = ["p50", "p90", "p99", "p99.9"]
    for index in titles.indices { line.append(right: "\(titles[index])", columns: columns) }
    line.append(right: FixedText(console.words("longest").bytes), columns: columns)
    return line
  }

  func percentiles(_ console: borrowing ConsoleSession) -> FixedText<256> {
    var line = FixedText<256>(console.label(kind.name, columns: Self.labelColumns).bytes)
    line.append(right: "\(grouped: times.totalCount)", columns: Self.countColumns)
    let permilles: InlineArray<4, UInt64> = [500, 900, 990, 999]
    for index in permilles.indices {
      line.append(right: "\(grouped: times.percentile(permille: permilles[index]))", columns: Self.columns)
    }
    line.append(right: "\(grouped: times.maximumMicroseconds)", columns: Self.columns)
    return line
  }

  /// Above the bars.
  static func scale(_ console: borrowing ConsoleSession) -> FixedText<256> {
    var line = FixedText<256>(console.label("", columns: labelColumns).bytes)
    // Ten octaves are a factor of 1,024.
    line.append("1 µs                1 ms                1 s")
    return line
  }

  /// A bar for each octave, as high as its count has digits beside the largest count: a single late wake among a million
  /// is still seen.
  func bars(_ console: borrowing ConsoleSession) -> FixedText<256> {
    var line = FixedText<256>(console.label(kind.name, columns: Self.labelColumns).bytes)
    var largest: UInt64 = 0
    for octave in 0..<Histogram.octaveCount { largest = max(largest, times.count(inOctave: octave)) }
    for octave in 0..<Self.barCount {
      var count = times.count(inOctave: octave)
      if octave == Self.barCount - 1 { count += times.count(inOctave: octave + 1) }
      for _ in 0..<Self.barColumns { line.append(scalar: Self.bar(count, of: largest, console.looks.hasBlocks)) }
    }
    while line.bytes[line.byteCount - 1] == UInt8(ascii: " ") { line.truncate(to: line.byteCount - 1) }
    return line
  }

  private static func bar(_ count: UInt64, of largest: UInt64, _ hasBlocks: Bool) -> Unicode.Scalar {
    guard count > 0 else { return " " }
    let digits = UInt64.bitWidth - 1 - count.leadingZeroBitCount
    let most = UInt64.bitWidth - 1 - largest.leadingZeroBitCount
    let height = UInt32(1 + 7 * digits / max(most, 1))
    // U+2581 is an eighth of a block, and U+2588 a whole one.
    if hasBlocks { return Unicode.Scalar(0x2580 + height) ?? " " }
    let signs: InlineArray<8, Unicode.Scalar> = [".", ":", "-", "=", "+", "*", "#", "@"]
    return signs[Int(height) - 1]
  }

  /// A member of the JSON object (RFC 8259).
  var member: FixedText<192> {
    """
    "\(kind.name)":{"count":\(times.totalCount),"p50_us":\(times.percentile(permille: 500)),\
    "p90_us":\(times.percentile(permille: 900)),"p99_us":\(times.percentile(permille: 990)),\
    "p999_us":\(times.percentile(permille: 999)),"max_us":\(times.maximumMicroseconds)}
    """
  }
}
