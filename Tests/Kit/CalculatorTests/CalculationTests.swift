import Base
import TestSupport
import Testing

@testable import Kit

@Suite struct CalculationTests {
  private func line(_ text: String, after answer: String? = nil, goesOn: Bool = true) -> String {
    do throws(CalculationError) {
      let result = try answer.map { answer throws(CalculationError) in try Calculation(Array(answer.utf8).span).result }
      return String(try Calculation(Array(text.utf8).span, answer: result, goesOn: goesOn).line)
    } catch {
      return String(error.line)
    }
  }

  @Test(
    "An expression is written out with its digits grouped, and its result follows",
    arguments: [
      ("1234*5", "1,234 × 5 = 6,170"), ("0.1 + 0.2", "0.1 + 0.2 = 0.3"), (".1+.2=", "0.1 + 0.2 = 0.3"),
      ("1+2*3", "1 + 2 × 3 = 7"), ("(1+2)*3", "(1 + 2) × 3 = 9"), ("8/4/2", "8 ÷ 4 ÷ 2 = 1"),
      ("8-4-2", "8 − 4 − 2 = 2"),
      ("2*-3", "2 × -3 = -6"), ("-(2-5)", "-(2 − 5) = 3"), ("--5", "--5 = 5"), ("+5", "5 = 5"),
      ("5×4÷2−1", "5 × 4 ÷ 2 − 1 = 9"),
      ("-300000", "-300,000 = -300,000"), ("1,234,567.25", "1,234,567.25 = 1,234,567.25"), ("0-0", "0 − 0 = 0"),
      ("1/3", "1 ÷ 3 = 0.33333333333333333333"), ("1/3*3", "1 ÷ 3 × 3 = 1"), ("2/3", "2 ÷ 3 = 0.66666666666666666667"),
      ("1e3", "1e3 = 1,000"), ("1e-6", "1e-6 = 0.000001"), ("1.5E40*2", "1.5E40 × 2 = 3e40"),
      ("1e-8/4", "1e-8 ÷ 4 = 2.5e-9"),
      ("100*00", "100 × 00 = 0"),
      (
        "99999999999999999*99999999999999999",
        "99,999,999,999,999,999 × 99,999,999,999,999,999 = 9,999,999,999,999,999,800,000,000,000,000,001"
      ),
      ("1234567890123456789012.5", "1,234,567,890,123,456,789,012.5 = 1,234,567,890,123,456,789,012"),
    ])
  func calculates(text: String, expected: String) { #expect(line(text) == expected) }

  @Test(
    "A percentage after plus or minus is one of what stands before it, and elsewhere a hundredth",
    arguments: [
      ("50%", "50% = 0.5"), ("200+10%", "200 + 10% = 220"), ("200-10%", "200 − 10% = 180"),
      ("200*10%", "200 × 10% = 20"),
      ("200/10%", "200 ÷ 10% = 2,000"), ("100+100+10%", "100 + 100 + 10% = 220"), ("200+-10%", "200 + -10% = 180"),
      ("200+(10%)", "200 + (10%) = 200.1"), ("200+10%*2", "200 + 10% × 2 = 200.2"), ("5%%", "5%% = 0.0005"),
      ("64GB+50%", "64 GB + 50% = 96 GB (96,000,000,000 bytes)"), ("2*(100+10%)", "2 × (100 + 10%) = 220"),
    ])
  func takesPercentages(text: String, expected: String) { #expect(line(text) == expected) }

  @Test(
    "Units of the trade give data, times, rates and frequencies",
    arguments: [
      ("48000*24bit*2*3h", "48,000 × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)"),
      ("48kHz*24bit*2*3h", "48 kHz × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)"),
      ("64GB / (5MB/s)", "64 GB ÷ (5 MB/s) = 3 h 33 min 20 s (12,800 s)"),
      ("64 GB/(48kHz*24bit*2)", "64 GB ÷ (48 kHz × 24 bit × 2) = 2 d 13 h 43 min 42.222 s (222,222.22222222222222 s)"),
      ("48kHz*24bit*2", "48 kHz × 24 bit × 2 = 288 kB/s (2.304 Mbit/s)"),
      ("10MB/20s", "10 MB ÷ 20 s = 500 kB/s (4 Mbit/s)"),
      ("1GiB-1GB", "1 GiB − 1 GB = 73.742 MB (73,741,824 bytes)"), ("1KiB", "1 KiB = 1.024 kB (1,024 bytes)"),
      ("12bit", "12 bit = 1.5 B"), ("1TB/1GB", "1 TB ÷ 1 GB = 1,000"), ("1d-1h", "1 d − 1 h = 23 h (82,800 s)"),
      ("90min", "90 min = 1 h 30 min (5,400 s)"), ("1500ms", "1,500 ms = 1.5 s"),
      ("1/48kHz", "1 ÷ 48 kHz = 0.00002083 s"),
      ("1/20ms", "1 ÷ 20 ms = 50 Hz"), ("48k/2", "48 k ÷ 2 = 24,000"),
      ("96kHz/44.1kHz", "96 kHz ÷ 44.1 kHz = 2.1768707482993197279"),
      ("48000*24bit*2*3h+1GB", "48,000 × 24 bit × 2 × 3 h + 1 GB = 4.11 GB (4,110,400,000 bytes)"),
      ("999999999B", "999,999,999 B = 1 GB (999,999,999 bytes)"), ("-90s", "-90 s = -1 min 30 s (-90 s)"),
      ("59.9999s", "59.9999 s = 1 min (59.9999 s)"),
      ("2TB*1000", "2 TB × 1,000 = 2,000 TB (2,000,000,000,000,000 bytes)"),
    ])
  func knowsUnits(text: String, expected: String) { #expect(line(text) == expected) }

  @Test(
    "What has no result is refused with the place and the reason",
    arguments: [
      ("", "column 1: a number is missing"), ("1+", "column 3: a number is missing"),
      ("*3", "column 1: a number is missing"),
      ("1 2", "column 3: an operator is missing: + - * or /"), ("2(3)", "column 2: an operator is missing: + - * or /"),
      ("3h20min", "column 3: an operator is missing: + - * or /"), ("5×(2", "column 3: this parenthesis is not closed"),
      ("5)", "column 2: this parenthesis was not opened"), ("()", "column 2: a number is missing"),
      ("7×1/0", "column 4: division by zero"), ("5/(3-3)", "column 2: division by zero"),
      ("0/0", "column 2: division by zero"),
      ("9e6144*10", "column 7: the number is too large: 10^6145 or more"),
      ("1e9999", "column 1: the number is too large: 10^6145 or more"),
      ("1e99999999999999999999", "column 1: the number is too large: 10^6145 or more"),
      ("1.2.3", "column 1: this is not a number such as 1,234.5 or 1e6"),
      ("1,23", "column 1: this is not a number such as 1,234.5 or 1e6"),
      ("1234,567", "column 1: this is not a number such as 1,234.5 or 1e6"),
      (".", "column 1: this is not a number such as 1,234.5 or 1e6"),
      ("2e", "column 1: this is not a number such as 1,234.5 or 1e6"),
      ("2e+x", "column 1: this is not a number such as 1,234.5 or 1e6"),
      ("5 parsec", "column 3: \"parsec\" is not a unit: use bit, B, Hz, ms, s, min, h, d with k M G T Ki Mi Gi Ti"),
      ("5kmin", "column 2: \"kmin\" is not a unit: use bit, B, Hz, ms, s, min, h, d with k M G T Ki Mi Gi Ti"),
      ("녹+1", "column 1: \"녹\" is not part of a calculation"),
      ("5×5 ^ 2", "column 5: \"^\" is not part of a calculation"),
      ("3h+2GB", "column 3: a time and an amount of data cannot be added or subtracted"),
      ("5+3s", "column 2: a number and a time cannot be added or subtracted"),
      ("2GB*3GB", "column 1: the result is data^2 time^0, which is neither data, time, rate nor number"),
      ("5GB%", "column 4: a percentage has no unit"), ("k*3", "column 1: a number is missing"),
      ("ans+1", "column 1: there is no result yet for ans"),
      (String(repeating: "(", count: 40), "column 33: there are more than 32 open parentheses and operators"),
      (
        String(repeating: "1+", count: 70) + "1",
        "column 129: the expression is longer than 256 bytes when its digits are grouped"
      ),
    ])
  func refuses(text: String, expected: String) { #expect(line(text) == expected) }

  @Test(
    "The last result is ans, and a sign at the start goes on from it",
    arguments: [
      ("ans*2", "1234*5", "6,170 × 2 = 12,340"), ("*2", "1234*5", "6,170 × 2 = 12,340"),
      ("-5", "1234*5", "6,170 − 5 = 6,165"),
      ("(-5)", "1234*5", "(-5) = -5"), ("×3", "1/3", "0.3333333333333333333333333333333333 × 3 = 1"),
      ("2-ans", "0-5", "2 − (-5) = 7"),
      ("/(5MB/s)", "64GB", "64,000,000,000 B ÷ (5 MB/s) = 3 h 33 min 20 s (12,800 s)"),
      ("64GB/ans", "10MB/2s", "64 GB ÷ (5,000,000 B/s) = 3 h 33 min 20 s (12,800 s)"),
      ("+10%", "200", "200 + 10% = 220"),
      ("*2h", "48000*16bit", "96,000 B × 2 h = 691.2 MB (691,200,000 bytes)"),
      ("%", "200", "column 1: a number is missing"),
    ])
  func goesOn(text: String, answer: String, expected: String) { #expect(line(text, after: answer) == expected) }

  @Test("A sign at the start of a command of its own is a sign of a number")
  func standsAlone() {
    #expect(line("-5", after: "100", goesOn: false) == "-5 = -5")
    #expect(line("*5", after: "100", goesOn: false) == "column 1: a number is missing")
  }

  @Test("What is written out gives the same when it is calculated again", arguments: Cases.some(4, of: 0..<20))
  func readsItself(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "1", "25", "0.5", "1,000", "3h", "2GB", "48kHz", "24bit", "10%", "(", ")", "+", "-", "*", "/", "/s", "ans",
    ]
    var count = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
        .joined()
      let answer = try Calculation(Array("10MB/3s".utf8).span).result
      guard let first = try? Calculation(Array(text.utf8).span, answer: answer, goesOn: true) else { continue }
      count += 1
      let again = try Calculation(first.expression.bytes)
      #expect(again.result == first.result, "\(text)")
      #expect(again.expression == first.expression, "\(text)")
    }
    #expect(count > 500)
  }

  @Test("Random bytes are refused, or have a result", arguments: 0..<20)
  func survivesNoise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...40, using: &generator)
      let letters = Array("0123456789.,e+-*/()% ×÷−kMGTsBhz".utf8)
      let bytes = (0..<length).map { _ in
        Bool.random(using: &generator)
          ? letters.randomElement(using: &generator)! : .random(in: 0...255, using: &generator)
      }
      do throws(CalculationError) { _ = try Calculation(bytes.span) } catch {
        let isInside = (1...length + 1).contains(error.column)
        #expect(isInside)
      }
    }
  }
}
