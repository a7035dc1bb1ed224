/// Numbers for people: digits are grouped by commas, and sizes and times have units. Never in what programs read.
extension FixedText {
  /// Appends decimal digits with a comma before each three of the last ones: `264,600`.
  package mutating func append(grouping digits: Span<UInt8>) {
    for index in digits.indices {
      if index > 0, (digits.count - index) % 3 == 0 { append(byte: UInt8(ascii: ",")) }
      append(byte: digits[index])
    }
  }

  /// Appends a number with its whole part grouped: `-300,000`, `1,234.5`.
  /// - Parameter number: a sign or none, digits, and whatever follows them.
  private mutating func append(groupingNumber number: FixedText<40>) {
    let bytes = number.bytes
    var start = 0
    if start < bytes.count, bytes[start] == UInt8(ascii: "-") { start += 1 }
    var end = start
    while end < bytes.count, bytes[end] >= UInt8(ascii: "0"), bytes[end] <= UInt8(ascii: "9") { end += 1 }
    append(bytes: bytes.extracting(first: start))
    append(grouping: bytes.extracting(start..<end))
    append(bytes: bytes.extracting(droppingFirst: end))
  }

  /// Appends a whole number: `264,600`.
  package mutating func append(grouped value: some FixedWidthInteger) {
    append(groupingNumber: "\(value)")
  }

  /// Appends a number with `decimals` digits after the point, of which a person wants 3 at most.
  package mutating func append(grouped value: Double, decimals: Int) {
    append(groupingNumber: "\(value, decimals: decimals)")
  }

  /// Appends an amount of data with two decimals: `3.16 MB`; below 1000 bytes with none: `512 B`.
  package mutating func append(size byteCount: UInt64) {
    guard byteCount >= 1000 else { return append("\(byteCount) B" as FixedText<8>) }
    let prefixes: InlineArray<4, StaticString> = ["k", "M", "G", "T"]
    var step = 0
    // A hundredth of the unit.
    var divisor: UInt64 = 10
    // 999,995 bytes are 1.00 MB.
    while step + 1 < prefixes.count, byteCount.rounded(toMultiplesOf: divisor) >= 100_000 {
      step += 1
      divisor *= 1000
    }
    let hundredths = byteCount.rounded(toMultiplesOf: divisor)
    append(grouped: hundredths / 100)
    append(".\(hundredths % 100, width: 2) \(prefixes[step])B" as FixedText<8>)
  }

  /// Appends how long something lasts, in its two largest units: `2 h 48 min`, `35 min`, `45 s`.
  package mutating func append(duration seconds: UInt64) {
    let minutes = seconds / 60
    guard minutes > 0 else { return append("\(seconds) s" as FixedText<24>) }
    if minutes >= 60 {
      append(grouped: minutes / 60)
      append(" h ")
    }
    append("\(minutes % 60) min" as FixedText<8>)
  }
}

extension UInt64 {
  /// How many times `divisor` it is, rounded half up.
  fileprivate func rounded(toMultiplesOf divisor: UInt64) -> UInt64 {
    self / divisor + (self % divisor >= divisor / 2 ? 1 : 0)
  }
}

extension FixedText.Interpolation {
  /// Appends a number for people: `264,600`.
  package mutating func appendInterpolation(grouped value: some FixedWidthInteger) {
    text.append(grouped: value)
  }

  /// Appends a number for people: `1,234.5`.
  package mutating func appendInterpolation(grouped value: Double, decimals: Int) {
    text.append(grouped: value, decimals: decimals)
  }

  /// Appends an amount of data for people: `3.16 MB`.
  package mutating func appendInterpolation(size byteCount: UInt64) {
    text.append(size: byteCount)
  }

  /// Appends how long something lasts for people: `2 h 48 min`.
  package mutating func appendInterpolation(duration seconds: UInt64) {
    text.append(duration: seconds)
  }
}
