import Base

/// How loud a file is by EBU R 128, as the broadcast extension of a WAV says it (EBU Tech 3285, 2.3).
package struct Loudness: BitwiseCopyable, Sendable {
  /// One of the values, in the order of the broadcast extension.
  package enum Measure: Int {
    /// The loudness of all that is not gated out, in LUFS.
    case integrated
    /// The loudness range by EBU Tech 3342, in LU.
    case range
    /// The highest true peak, in dBTP.
    case truePeak
    /// The highest loudness of 400 ms, in LUFS.
    case momentary
    /// The highest loudness of three seconds, in LUFS.
    case shortTerm
  }

  private var hundredths = InlineArray<5, Int16>(repeating: notMeasured)

  /// What the broadcast extension has in place of a value that is not known.
  static var notMeasured: Int16 { 0x7FFF }

  /// What its entry in a ledger begins with.
  package static var key: StaticString { "loudness: " }

  /// Nothing is known.
  package init() {}

  /// - Parameter text: what ``text`` once was; from any other text nothing is known.
  init(_ text: Span<UInt8>) {
    var rest = text
    while true {
      let part = rest.extracting(first: rest.firstIndex(of: ",") ?? rest.count)
      for place in 0..<5 {
        guard let number = part.removingPrefix(Self.keys[place])?.firstWord.parseDecimal() else { continue }
        self[place] = number
      }
      guard part.count + 2 <= rest.count else { break }
      rest = rest.extracting(droppingFirst: part.count + 2)
    }
  }

  /// - Returns: nil if it is not known.
  package subscript(measure: Measure) -> Double? {
    get { self[measure.rawValue] }
    set { self[measure.rawValue] = newValue }
  }

  /// Values that the broadcast extension cannot hold are not known.
  private subscript(place: Int) -> Double? {
    get { hundredths[place] == Self.notMeasured ? nil : Double(hundredths[place]) / 100 }
    set {
      let value = ((newValue ?? .nan) * 100).rounded()
      hundredths[place] = value.magnitude <= 9_999 ? Int16(value) : Self.notMeasured
    }
  }

  private static var keys: InlineArray<5, StaticString> { ["I ", "LRA ", "TP ", "max M ", "max S "] }

  /// `I -23.03 LUFS, LRA 4.20 LU, TP -1.52 dBTP, max M -18.20 LUFS, max S -20.11 LUFS`, by the names of EBU Tech 3341;
  /// at most 86 bytes. What is not known is left out; empty if nothing is.
  package var text: FixedText<96> {
    let units: InlineArray<5, StaticString> = [" LUFS", " LU", " dBTP", " LUFS", " LUFS"]
    var text = FixedText<96>()
    for place in 0..<5 {
      let number = number(place)
      if number.isEmpty { continue }
      if !text.isEmpty { text.append(", ") }
      text.append(Self.keys[place])
      text.append(number)
      text.append(units[place])
    }
    return text
  }

  /// A value with two decimals; empty if it is not known.
  /// - Parameter place: in the order of the broadcast extension.
  func number(_ place: Int) -> FixedText<16> {
    var text = FixedText<16>()
    if let value = self[place] { text.append(value, decimals: 2) }
    return text
  }

  /// - Parameter offset: of the five fields.
  func store(in header: inout MutableRawSpan, at offset: Int) {
    for place in 0..<5 {
      header.storeBytes(of: hundredths[place].littleEndian, toByteOffset: offset + 2 * place, as: Int16.self)
    }
  }
}
