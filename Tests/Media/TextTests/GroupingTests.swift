import Base
import Foundation
import TestSupport
import Testing

/// Numbers formatted for people.
@Suite struct GroupingTests {
  @Test("there is one frame, and of any other number there are frames")
  func countsNouns() {
    let counts: [(Int, String)] = [(0, "0 frames"), (1, "1 frame"), (2, "2 frames"), (1_234, "1,234 frames")]
    for (count, expected) in counts { #expect(String("\(count: count, "frame")" as FixedText<40>) == expected) }
  }

  @Test("Whole numbers are grouped as the system's library groups them, at the limits of their type too")
  func groupsIntegers() {
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: "en_US")
    formatter.numberStyle = .decimal
    var generator = SeededGenerator(seed: 3)
    var numbers: [Int64] = [0, 1, -1, 999, 1_000, -999, -1_000, 264_600, -300_000, .min, .max]
    for _ in 0..<5_000 {
      numbers.append(Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<63, using: &generator))
    }
    for number in numbers {
      let text: FixedText<40> = "\(grouped: number)"
      #expect(String(text) == formatter.string(from: NSNumber(value: number)))
    }
    #expect(String("\(grouped: UInt64.max)" as FixedText<40>) == "18,446,744,073,709,551,615")
  }

  @Test("Numbers with decimals are grouped before the point alone")
  func groupsDecimals() {
    #expect(String("\(grouped: 1_234_567.8916, decimals: 3)" as FixedText<40>) == "1,234,567.892")
    #expect(String("\(grouped: -1_234.5, decimals: 1)" as FixedText<40>) == "-1,234.5")
    #expect(String("\(grouped: 999.96, decimals: 1)" as FixedText<40>) == "1,000.0")
    #expect(String("\(grouped: 0.1234, decimals: 3)" as FixedText<40>) == "0.123")
    #expect(String("\(grouped: Double.infinity, decimals: 3)" as FixedText<40>) == "inf")
    #expect(String("\(grouped: 1e15, decimals: 0)" as FixedText<40>) == "1,000,000,000,000,000")
  }

  @Test(
    "Sizes have the unit in which they are below 1000, and two decimals",
    arguments: [
      (0, "0 B"), (512, "512 B"), (999, "999 B"), (1_000, "1.00 kB"), (3_156_000, "3.16 MB"), (999_994, "999.99 kB"),
      (999_995, "1.00 MB"), (71_286_738_944, "71.29 GB"), (999_994_999_999, "999.99 GB"), (999_995_000_000, "1.00 TB"),
      (1_234_567_000_000_000, "1,234.57 TB"), (.max, "18,446,744.07 TB"),
    ] as [(UInt64, String)])
  func givesSizes(byteCount: UInt64, expected: String) {
    #expect(String("\(size: byteCount)" as FixedText<40>) == expected)
  }

  @Test(
    "Times have their two largest units",
    arguments: [
      (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h 0 min"), (10_080, "2 h 48 min"),
      (1_000_000_000, "277,777 h 46 min"), (.max, "5,124,095,576,030,431 h 0 min"),
    ] as [(UInt64, String)])
  func givesTimes(seconds: UInt64, expected: String) {
    #expect(String("\(duration: seconds)" as FixedText<40>) == expected)
  }
}
