import Base

/// A place on the earth, in units of 1e-7 degrees (about 11 mm).
package struct GeoPoint: BitwiseCopyable, Equatable, Sendable {
  /// −900 000 000…900 000 000, positive north of the equator.
  package var latitude: Int32
  /// −1 800 000 000…1 800 000 000, positive east of Greenwich.
  package var longitude: Int32

  package init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// What a receiver's sentence says.
package enum ReceiverSentence: BitwiseCopyable, Equatable, Sendable {
  /// RMC: the place, and the time in nanoseconds since 1970. Both are nil while the receiver does not vouch for them;
  /// the time also without a date, and in a leap second.
  case minimum(GeoPoint?, unixNanoseconds: Int64?)
  /// GGA: how good the fix is.
  case quality(FixQuality)
  /// GSA: whether the fix has an altitude; nil while there is no fix.
  case dimensions(hasAltitude: Bool?)
  /// A whole sentence that nothing is taken from.
  case other
}

/// How good a fix is. What the receiver leaves out is nil.
package struct FixQuality: BitwiseCopyable, Equatable, Sendable {
  package var satelliteCount: UInt8?
  /// The horizontal dilution of precision in hundredths: 100 is ideal.
  package var dilution: UInt16?
  /// Above mean sea level.
  package var altitudeDecimetres: Int32?

  package init(satelliteCount: UInt8? = nil, dilution: UInt16? = nil, altitudeDecimetres: Int32? = nil) {
    self.satelliteCount = satelliteCount
    self.dilution = dilution
    self.altitudeDecimetres = altitudeDecimetres
  }
}

/// Finds the sentences (NMEA 0183) in a receiver's bytes. Anything else, such as binary messages, is passed over.
package struct NMEAReader: Sendable {
  /// A sentence without its dollar sign.
  private var line = InlineArray<100, UInt8>(repeating: 0)
  /// The bytes of `line` so far; nil outside of a sentence.
  private var count: Int?
  /// Sentences with a right checksum.
  package private(set) var sentenceCount: UInt64 = 0
  /// Sentences that were torn, too long, had a wrong checksum, or said nonsense.
  package private(set) var errorCount: UInt64 = 0

  package init() {}

  /// Takes the next byte.
  /// - Returns: the sentence that ends with it; nil if none does.
  package mutating func take(_ byte: UInt8) -> ReceiverSentence? {
    if byte == UInt8(ascii: "$") {
      if count != nil { errorCount += 1 }
      count = 0
      return nil
    }
    guard let count else { return nil }
    if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
      self.count = nil
      return finish(count)
    }
    guard 0x20..<0x7F ~= byte, count < line.count else {
      self.count = nil
      errorCount += 1
      return nil
    }
    line[count] = byte
    self.count = count + 1
    return nil
  }

  private mutating func finish(_ count: Int) -> ReceiverSentence? {
    let text = line.span.extracting(first: count)
    guard let body = Self.checked(text) else {
      errorCount += 1
      return nil
    }
    sentenceCount += 1
    guard let sentence = SentenceFields(body).sentence else {
      errorCount += 1
      return nil
    }
    return sentence
  }

  /// The text before the asterisk; nil if the checksum behind it is missing or wrong.
  @_lifetime(copy text)
  private static func checked(_ text: Span<UInt8>) -> Span<UInt8>? {
    guard text.count > 3, text[text.count - 3] == UInt8(ascii: "*"), let high = hexadecimal(text[text.count - 2]),
      let low = hexadecimal(text[text.count - 1])
    else { return nil }
    let body = text.extracting(first: text.count - 3)
    var sum: UInt8 = 0
    for index in body.indices { sum ^= body[index] }
    return sum == high << 4 | low ? body : nil
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// The fields of a sentence, between commas.
private struct SentenceFields: ~Escapable {
  private let text: Span<UInt8>

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// Nil for nonsense. The first two letters name the satellites: GP, GL, GA, GB, GN and others.
  var sentence: ReceiverSentence? {
    let name = field(0)
    guard name.count == 5 else { return .other }
    let kind = name.extracting(droppingFirst: 2)
    if kind.equals("RMC") { return minimum }
    if kind.equals("GGA") { return quality }
    if kind.equals("GSA") { return dimensions }
    return .other
  }

  /// Empty beyond the last.
  @_lifetime(copy self)
  private func field(_ number: Int) -> Span<UInt8> {
    var (start, left) = (0, number)
    while left > 0, start < text.count {
      if text[start] == UInt8(ascii: ",") { left -= 1 }
      start += 1
    }
    var end = start
    while end < text.count, text[end] != UInt8(ascii: ",") { end += 1 }
    return text.extracting(start..<(left > 0 ? start : end))
  }

  private var minimum: ReceiverSentence? {
    // A place of exactly 0, 0 is of a receiver that has none, whatever it says.
    guard field(2).equals("A") else { return field(2).equals("V") ? .minimum(nil, unixNanoseconds: nil) : nil }
    // Estimated, typed in, not valid or simulated.
    if field(12).isWord(of: "e m n s") { return .minimum(nil, unixNanoseconds: nil) }
    guard let point = point(at: 3), point != GeoPoint(latitude: 0, longitude: 0), let time = nanosecondOfDay(field(1))
    else { return nil }
    guard !field(9).isEmpty else { return .minimum(point, unixNanoseconds: nil) }
    guard let day = dayNumber(field(9)) else { return nil }
    return .minimum(point, unixNanoseconds: time < 0 ? nil : day * 86_400_000_000_000 + time)
  }

  private var quality: ReceiverSentence? {
    guard let kind = field(6).parseInteger(as: UInt8.self), kind <= 8 else { return nil }
    var quality = FixQuality()
    guard 1...5 ~= kind else { return .quality(quality) }
    guard point(at: 2) != nil else { return nil }
    if let count = field(7).parseInteger(as: UInt8.self), count < 100 { quality.satelliteCount = count }
    // 99.99 and 9999 stand for unknown.
    if let dilution = fixedPoint(field(8), decimals: 2), 1..<9999 ~= dilution { quality.dilution = UInt16(dilution) }
    if let altitude = fixedPoint(field(9), decimals: 1), -10_000...200_000 ~= altitude, field(10).equals("M") {
      quality.altitudeDecimetres = Int32(altitude)
    }
    return .quality(quality)
  }

  private var dimensions: ReceiverSentence? {
    switch field(2).parseInteger(as: UInt8.self) {
    case 1: .dimensions(hasAltitude: nil)
    case 2: .dimensions(hasAltitude: false)
    case 3: .dimensions(hasAltitude: true)
    default: nil
    }
  }

  /// The four fields of a place.
  private func point(at number: Int) -> GeoPoint? {
    guard let latitude = degrees(number, digits: 2, most: 900_000_000, "N", "S"),
      let longitude = degrees(number + 2, digits: 3, most: 1_800_000_000, "E", "W")
    else { return nil }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  /// `ddmm.mmmm` and the letter of the half.
  private func degrees(
    _ number: Int, digits: Int, most: Int64, _ positive: StaticString, _ negative: StaticString
  ) -> Int32? {
    let (text, half) = (field(number), field(number + 1))
    guard text.count >= digits + 2, text.count == digits + 2 || text[digits + 2] == UInt8(ascii: "."),
      let whole = text.extracting(first: digits).parseInteger(as: UInt16.self),
      let minutes = fixedPoint(text.extracting(droppingFirst: digits), decimals: 7), 0..<600_000_000 ~= minutes
    else { return nil }
    let value = Int64(whole) * 10_000_000 + (minutes + 30) / 60
    guard value <= most, half.equals(positive) || half.equals(negative) else { return nil }
    return Int32(half.equals(positive) ? value : -value)
  }

  /// A decimal number in units of its last wanted decimal; further decimals are left out.
  private func fixedPoint(_ text: Span<UInt8>, decimals: Int) -> Int64? {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let digits = text.extracting(droppingFirst: isNegative ? 1 : 0)
    let point = digits.firstIndex(of: ".") ?? digits.count
    guard 1...9 ~= point, var value = digits.extracting(first: point).parseInteger(as: UInt32.self).map(Int64.init)
    else { return nil }
    for step in 1...decimals {
      let place = point + step
      let byte = place < digits.count ? digits[place] : UInt8(ascii: "0")
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  /// `hhmmss.ss`; −1 in a leap second, which Unix time does not have.
  private func nanosecondOfDay(_ text: Span<UInt8>) -> Int64? {
    guard text.count >= 6, text.count == 6 || text[6] == UInt8(ascii: "."),
      let time = fixedPoint(text, decimals: 3)
    else { return nil }
    let (clock, milliseconds) = (time / 1000, time % 1000)
    let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
    guard clock >= 0, hour < 24, minute < 60, second <= 60 else { return nil }
    return second == 60 ? -1 : ((hour * 3600 + minute * 60 + second) * 1000 + milliseconds) * 1_000_000
  }

  /// `ddmmyy`, from 1980 to 2079: a receiver that does not know its weeks yet tells 1980 or 1999, not 2080 or 2099.
  private func dayNumber(_ text: Span<UInt8>) -> Int64? {
    guard text.count == 6, let date = text.parseInteger(as: UInt32.self) else { return nil }
    let century = date % 100 < 80 ? 20 : 19
    let turned: FixedText<16> =
      "\(century)\(date % 100, width: 2)\(date / 100 % 100, width: 2)\(date / 10_000, width: 2)"
    return CivilTime.dayNumber(ofDateText: turned.bytes)
  }
}
