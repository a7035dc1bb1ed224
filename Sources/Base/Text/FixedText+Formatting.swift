extension FixedText {
  /// Appends decimal digits, with leading zeros up to `width` digits, at most 39.
  package mutating func append(integer value: some FixedWidthInteger, width: Int = 1) {
    append(NumberText.digits(of: UInt64(value.magnitude), isNegative: value < 0, radix: 10, width: width))
  }

  /// Appends lower-case hexadecimal digits, with leading zeros up to `width` digits, at most 39.
  package mutating func append(hexadecimal value: UInt64, width: Int) {
    append(NumberText.digits(of: value, isNegative: false, radix: 16, width: width))
  }

  /// Appends a number's bytes, least significant first.
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    for index in 0..<value.bitWidth / 8 { append(byte: UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  /// Appends a number's bytes, most significant first.
  package mutating func append(bigEndian value: some FixedWidthInteger) { append(littleEndian: value.byteSwapped) }

  /// Appends a number with `decimals` (0…9) digits after the point; `inf` and `nan` as those words, and magnitudes of
  /// at least 2⁶³ as `inf`.
  package mutating func append(_ value: Double, decimals: Int) { append(NumberText.number(value, decimals: decimals)) }

  /// Appends the contents of a JSON string (RFC 8259, section 7) without the quotes, as many whole characters and
  /// escapes as fit. Quotes, backslashes and characters that a terminal would act on are escaped. Bytes that are not
  /// UTF-8 become U+FFFD.
  package mutating func append(jsonEscaped bytes: Span<UInt8>) {
    var utf8 = UTF8Decoder()
    for index in bytes.indices {
      let byte = bytes[index]
      if utf8.isInsideCharacter, !byte.isUTF8Continuation { append(scalar: UTF8Decoder.replacement) }
      if let scalar = utf8.next(byte) { append(jsonEscaped: scalar) }
    }
    if utf8.isInsideCharacter { append(scalar: UTF8Decoder.replacement) }
  }

  private mutating func append(jsonEscaped scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append(whole: "\\\"")
    case "\\": append(whole: "\\\\")
    case _ where scalar.isObeyed: append(whole: "\\u\(hexadecimal: scalar.value, width: 4)")
    default: append(scalar: scalar)
    }
  }

  private mutating func append(whole escape: FixedText<6>) {
    let end = byteCount
    append(escape)
    if isTruncated { truncate(to: end) }
  }
}

/// Numbers as texts of one capacity, so that their code is not compiled again for each capacity. No number with what
/// follows it needs 40 bytes.
typealias NumberText = FixedText<40>

extension NumberText {
  @inline(never)
  static func digits(of magnitude: UInt64, isNegative: Bool, radix: UInt64, width: Int) -> Self {
    // 20 digits hold any 64-bit number in base 10.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var count = 0
    var rest = magnitude
    repeat {
      digits[count] = UInt8(rest % radix)
      rest /= radix
      count += 1
    } while rest > 0
    var text = Self()
    if isNegative { text.append(byte: UInt8(ascii: "-")) }
    for _ in 0..<max(0, width - count) { text.append(byte: UInt8(ascii: "0")) }
    for index in 0..<count {
      let digit = digits[count - 1 - index]
      text.append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
    return text
  }

  @inline(never)
  static func number(_ value: Double, decimals: Int) -> Self {
    guard !value.isNaN else { return "nan" }
    guard value.magnitude < 0x1p63 else { return value < 0 ? "-inf" : "inf" }
    var scale: UInt64 = 1
    for _ in 0..<decimals { scale *= 10 }
    var whole = UInt64(value.magnitude)
    var fraction = UInt64(((value.magnitude - Double(whole)) * Double(scale)).rounded())
    if fraction >= scale {
      whole += 1
      fraction -= scale
    }
    var text = digits(of: whole, isNegative: value < 0 && (whole > 0 || fraction > 0), radix: 10, width: 1)
    guard decimals > 0 else { return text }
    text.append(byte: UInt8(ascii: "."))
    text.append(integer: fraction, width: decimals)
    return text
  }

  /// The text, which begins with a number, with the number's integer part grouped: `-300,000`, `1,234.5 kB`.
  @inline(never)
  var grouped: Self {
    var start = 0
    if start < bytes.count, bytes[start] == UInt8(ascii: "-") { start += 1 }
    var end = start
    while end < bytes.count, bytes[end] >= UInt8(ascii: "0"), bytes[end] <= UInt8(ascii: "9") { end += 1 }
    var text = Self(bytes.extracting(first: start))
    text.append(grouping: bytes.extracting(start..<end))
    text.append(bytes: bytes.extracting(droppingFirst: end))
    return text
  }

  @inline(never)
  static func size(_ byteCount: UInt64) -> Self {
    guard byteCount >= 1000 else { return "\(byteCount) B" }
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
    let text: Self = "\(hundredths / 100).\(hundredths % 100, width: 2) \(prefixes[step])B"
    return text.grouped
  }

  @inline(never)
  static func elapsed(milliseconds: UInt64) -> Self {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return "\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2).\(rest, width: 3)"
  }

  @inline(never)
  static func duration(_ seconds: UInt64) -> Self {
    let minutes = seconds / 60
    guard minutes > 0 else { return "\(seconds) s" }
    guard minutes >= 60 else { return "\(minutes) min" }
    var text = digits(of: minutes / 60, isNegative: false, radix: 10, width: 1).grouped
    text.append(" h ")
    text.append("\(minutes % 60) min" as FixedText<8>)
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal acts on the character instead of showing it: control characters, line and paragraph separators,
  /// and those that reverse adjacent text (Unicode's property `Bidi_Control`).
  package var isObeyed: Bool {
    switch value {
    case ..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Numbers for people: digits are grouped by commas, and sizes and times have units. Never used in machine-readable
/// text.
extension FixedText {
  /// Appends decimal digits with a comma between groups of three: `264,600`.
  package mutating func append(grouping digits: Span<UInt8>) {
    for index in digits.indices {
      if index > 0, (digits.count - index) % 3 == 0 { append(byte: UInt8(ascii: ",")) }
      append(byte: digits[index])
    }
  }

  /// Appends a whole number: `264,600`.
  package mutating func append(grouped value: some FixedWidthInteger) {
    append(NumberText.digits(of: UInt64(value.magnitude), isNegative: value < 0, radix: 10, width: 1).grouped)
  }

  /// Appends a number and its noun: `1 frame`, `2,000 frames`.
  /// - Parameter noun: singular; the plural gets an s.
  package mutating func append(count value: some FixedWidthInteger, _ noun: StaticString) {
    append(FixedText<64>(counting: Int64(clamping: value), noun))
  }

  /// Appends a number with `decimals` digits after the point, at most 3.
  package mutating func append(grouped value: Double, decimals: Int) {
    append(NumberText.number(value, decimals: decimals).grouped)
  }

  /// Appends an amount of data with two decimals: `3.16 MB`; below 1000 bytes without decimals: `512 B`.
  package mutating func append(size byteCount: UInt64) { append(NumberText.size(byteCount)) }

  /// Appends a duration in its two largest units: `2 h 48 min`, `35 min`, `45 s`.
  package mutating func append(duration seconds: UInt64) { append(NumberText.duration(seconds)) }
}

extension UInt64 {
  /// The quotient by `divisor`, rounded half up.
  fileprivate func rounded(toMultiplesOf divisor: UInt64) -> UInt64 {
    self / divisor + (self % divisor >= divisor / 2 ? 1 : 0)
  }
}

extension FixedText.Interpolation {
  package mutating func appendInterpolation(grouped value: some FixedWidthInteger) {
    text.append(grouped: value)
  }

  package mutating func appendInterpolation(count value: some FixedWidthInteger, _ noun: StaticString) {
    text.append(count: value, noun)
  }

  package mutating func appendInterpolation(grouped value: Double, decimals: Int) {
    text.append(grouped: value, decimals: decimals)
  }

  package mutating func appendInterpolation(size byteCount: UInt64) {
    text.append(size: byteCount)
  }

  /// Appends a time since a beginning: `0:00:12.345`.
  package mutating func appendInterpolation(elapsedMilliseconds milliseconds: UInt64) {
    text.append(NumberText.elapsed(milliseconds: milliseconds))
  }

  package mutating func appendInterpolation(duration seconds: UInt64) {
    text.append(duration: seconds)
  }
}

extension FixedText<64> {
  /// For ``append(count:_:)``: what does not depend on the types is compiled once.
  @export(interface)
  package init(counting value: Int64, _ noun: StaticString) {
    self.init()
    append(grouped: value)
    append(" \(noun)\(value == 1 ? "" : "s" as StaticString)" as FixedText<40>)
  }
}
