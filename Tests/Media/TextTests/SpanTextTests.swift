import Base
import TestSupport
import Testing

@Suite struct SpanTextTests {
  private func integer<Value: FixedWidthInteger>(_ text: String, as type: Value.Type) -> Value? {
    Array(text.utf8).span.parseInteger(as: type)
  }

  private func decimal(_ text: String) -> Double? { Array(text.utf8).span.parseDecimal() }

  @Test("Integers are read as the standard library reads them, at the limits of their type too")
  func readsIntegers() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<5000 {
      let text = String(Int32.random(in: -40_000...40_000, using: &generator))
      #expect(integer(text, as: Int16.self) == Int16(text))
      #expect(integer(text, as: UInt16.self) == UInt16(text))
    }
    #expect(integer("-9223372036854775808", as: Int64.self) == .min)
    #expect(integer("9223372036854775808", as: Int64.self) == nil)
    #expect(integer("18446744073709551615", as: UInt64.self) == .max)
    #expect(integer("18446744073709551616", as: UInt64.self) == nil)
  }

  @Test(
    "What is not a whole number through and through is none",
    arguments: ["", "-", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "١"])
  func refusesOtherIntegers(text: String) {
    #expect(integer(text, as: Int64.self) == nil)
  }

  @Test("An unsigned number has no minus")
  func refusesMinus() {
    #expect(integer("-1", as: UInt64.self) == nil)
    #expect(integer("-0", as: UInt8.self) == nil)
  }

  @Test("Decimal numbers are read as the standard library reads them")
  func readsDecimals() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<5000 {
      let whole = Int.random(in: -99_999...99_999, using: &generator)
      let text = "\(whole).\(Int.random(in: 0...999_999, using: &generator))"
      #expect(decimal(text) == Double(text))
    }
    #expect(decimal(".5") == 0.5)
    #expect(decimal("5.") == 5)
  }

  @Test(
    "Words, exponents and too many digits are no decimal numbers",
    arguments: ["", ".", "-", "nan", "inf", "1e9", "1.2.3", "+1", "0.1234567890123456"])
  func refusesOtherDecimals(text: String) {
    #expect(decimal(text) == nil)
  }

  @Test("A span starts with its beginnings and with nothing else")
  func knowsItsPrefixes() {
    for (prefix, isPrefix) in [("", true), ("r", true), ("record", true), ("rex", false), ("records", false)] {
      let starts = Array("record".utf8).span.starts(with: Array(prefix.utf8).span)
      #expect(starts == isPrefix, "\(prefix)")
    }
  }
}
