import Base
import Foundation
import TestSupport
import Testing

@Suite struct FixedTextTests {
  @Test("Interpolation puts literals, numbers and other texts one behind the other")
  func interpolates() {
    let name: FixedText<8> = "take"
    let text: FixedText<64> =
      "\(name) \(7, width: 4) \(-12) \(hexadecimal: 0xBEEF, width: 6) \(true) \(2.5, decimals: 2)"
    #expect(String(text) == "take 0007 -12 00beef true 2.50")
    #expect(!text.isTruncated)
  }

  @Test("What does not fit is left off at a character's end, and nothing is appended behind the gap")
  func neverCutsACharacter() {
    var generator = SeededGenerator(seed: 1)
    let characters: [Unicode.Scalar] = ["a", "é", "녹", "🎙", "€", "z"]
    for _ in 0..<2000 {
      let scalars = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        characters.randomElement(using: &generator)!
      }
      var text = FixedText<16>()
      var expected = ""
      for scalar in scalars {
        text.append(scalar: scalar)
        if !text.isTruncated { expected.unicodeScalars.append(scalar) }
      }
      let whole = String(String.UnicodeScalarView(scalars))
      #expect(String(text) == expected)
      #expect(text.isTruncated == (whole.utf8.count > 16))
    }
  }

  @Test("Bytes that arrive in pieces are cut like whole ones", arguments: 0..<8)
  func cutsPiecemeal(padding: Int) {
    var text = FixedText<8>()
    for byte in Array(repeating: UInt8(ascii: "-"), count: padding) + Array("녹음".utf8) { text.append(byte: byte) }
    let whole = String(repeating: "-", count: padding) + "녹음"
    #expect(whole.hasPrefix(String(text)))
    #expect(text.byteCount > 8 - 3)
  }

  @Test("Truncating leaves whole characters", arguments: 0...12)
  func truncates(byteCount: Int) {
    var text: FixedText<16> = "a녹é🎙"
    text.truncate(to: byteCount)
    #expect("a녹é🎙".hasPrefix(String(text)))
    #expect(text.byteCount <= byteCount)
    #expect(text.byteCount > byteCount - 4)
  }

  @Test("A scalar is appended as the standard library encodes it")
  func encodesScalars() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<5000 {
      guard let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) else { continue }
      var text = FixedText<4>()
      text.append(scalar: scalar)
      #expect(String(text).unicodeScalars.elementsEqual([scalar]))
    }
  }

  @Test("Texts are equal when their bytes are, whatever was there before")
  func comparesBytes() {
    var text: FixedText<8> = "record"
    text.truncate(to: 3)
    #expect(text == ("rec" as FixedText<8>))
    #expect(text == "rec" as StaticString)
    #expect(text != ("red" as FixedText<8>))
  }

  @Test("C sees the text ended by a 0, without the last character where there is no room for it")
  func lendsCString() {
    let short: FixedText<8> = "/dev"
    #expect(unsafe short.withCString { unsafe String(cString: $0) } == "/dev")
    let full: FixedText<6> = "녹음"
    #expect(unsafe full.withCString { unsafe String(cString: $0) } == "녹")
    let name = unsafe "녹음 파일".withCString { unsafe FixedText<7>(cString: $0) }
    #expect(String(name) == "녹음 ")
    #expect(name.isTruncated)
  }

  @Test("Integers are written as the standard library writes them")
  func writesIntegers() {
    var generator = SeededGenerator(seed: 3)
    for value in [0, 1, -1, Int64.min, Int64.max]
      + (0..<2000).map({ _ in Int64(bitPattern: generator.next() >> (generator.next() % 64)) })
    {
      #expect(String("\(value)" as FixedText<32>) == String(value))
      let magnitude = value.magnitude
      let digits = String(magnitude, radix: 16)
      let zeros = String(repeating: "0", count: max(0, 8 - digits.count))
      #expect(String("\(hexadecimal: magnitude, width: 8)" as FixedText<32>) == zeros + digits)
    }
  }

  @Test("Decimal fractions are within half of their last digit")
  func writesDecimals() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<5000 {
      let value =
        Double.random(in: -1e9...1e9, using: &generator) * pow(10, Double(Int.random(in: -9...0, using: &generator)))
      let decimals = Int.random(in: 0...6, using: &generator)
      let text = String("\(value, decimals: decimals)" as FixedText<48>)
      let read = try #require(Double(text))
      #expect(abs(read - value) <= 0.5 * pow(10, -Double(decimals)) + 1e-6 * max(1, abs(value) * 1e-9))
      let fraction = text.split(separator: ".").dropFirst().first ?? ""
      #expect(fraction.count == decimals)
    }
  }

  @Test(
    "Fractions at the edges are written as a person would",
    arguments: [
      (0.0, 1, "0.0"), (-0.001, 2, "0.00"), (0.999, 2, "1.00"), (-1.5, 0, "-2"), (.infinity, 1, "inf"),
      (-.infinity, 1, "-inf"), (.nan, 1, "nan"), (1e300, 1, "inf"), (12.0, 3, "12.000"),
    ])
  func writesEdges(value: Double, decimals: Int, expected: String) {
    #expect(String("\(value, decimals: decimals)" as FixedText<32>) == expected)
  }
}
