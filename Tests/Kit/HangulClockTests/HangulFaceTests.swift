import Base
import TestSupport
import Testing

@testable import Kit

@Suite struct HangulFaceTests {
  private static let millisecond: UInt64 = 1_000_000

  private func face(_ milliseconds: UInt64, _ easing: Easing = .linear) -> HangulFace {
    HangulFace(
      hasMeridiem: true, lit: 0.8, unlit: 0.2, changeNanoseconds: milliseconds * Self.millisecond, easing: easing)
  }

  private func values(_ face: HangulFace, _ minute: Int, before: Int, milliseconds: UInt64) -> [UInt8] {
    let brightness = face.brightness(
      minuteOfDay: minute, before: before, sinceItBegan: milliseconds * Self.millisecond)
    return brightness.indices.map { brightness[$0] }
  }

  /// All syllables except the dot, which has its own timing.
  private func syllables(_ values: [UInt8]) -> [UInt8] { values.indices.filter { $0 != 11 }.map { values[$0] } }

  @Test("a change begins with what was lit, and ends with what is lit, for every minute of the day")
  func beginsAndEnds() {
    let face = face(600)
    for minute in 0..<1440 {
      let before = (minute + 1439) % 1440
      let old = syllables(values(face, before, before: before, milliseconds: 30_000))
      let new = syllables(values(face, minute, before: minute, milliseconds: 30_000))
      #expect(old != new)
      #expect(syllables(values(face, minute, before: before, milliseconds: 0)) == old)
      #expect(syllables(values(face, minute, before: before, milliseconds: 600)) == new)
      #expect(Set(new) == [51, 204])
    }
  }

  @Test("during a change what appears and what goes cross at the middle, and what stays does not move")
  func crosses() {
    // 오전 한 시 일 분, 오전 한 시 이 분: 일 fades out, 이 fades in.
    let middle = values(face(600), 62, before: 61, milliseconds: 300)
    #expect(middle[26] == 128 && middle[27] == 128 && middle[7] == 204 && middle[30] == 51)
    let early = values(face(600), 62, before: 61, milliseconds: 150)
    #expect(early[26] == 166 && early[27] == 89)
    let eased = values(face(600, .curved(.cubic, .into)), 62, before: 61, milliseconds: 300)
    #expect(eased[26] == 185 && eased[27] == 70)
  }

  @Test("no easing leaves the two brightnesses of the settings")
  func staysWithin() {
    var rawValue: UInt8 = 0
    while let easing = Easing(rawValue: rawValue) {
      for milliseconds in stride(from: 0, to: 1300, by: 7) {
        let values = values(face(1000, easing), 721, before: 720, milliseconds: UInt64(milliseconds))
        #expect(values.allSatisfy { (51...204).contains($0) }, "\(easing) at \(milliseconds)")
      }
      rawValue += 1
    }
    #expect(rawValue == 31)
  }

  @Test("without an animation every change is a jump")
  func jumps() {
    let face = face(0)
    let new = syllables(values(face, 62, before: 62, milliseconds: 30_000))
    #expect(syllables(values(face, 62, before: 61, milliseconds: 0)) == new)
  }

  @Test("the dot is lit in the first half of each second, and fades within half of a half second at most")
  func blinks() {
    let jump = face(0)
    for milliseconds in stride(from: 0 as UInt64, to: 60_000, by: 50) {
      let dot = values(jump, 62, before: 61, milliseconds: milliseconds)[HangulBoard.dot]
      #expect(dot == (milliseconds % 1000 < 500 ? 204 : 51))
    }
    let slow = face(5000)
    #expect(values(slow, 62, before: 61, milliseconds: 10_000)[11] == 51)
    #expect(values(slow, 62, before: 61, milliseconds: 10_125)[11] == 128)
    #expect(values(slow, 62, before: 61, milliseconds: 10_250)[11] == 204)
    #expect(values(slow, 62, before: 61, milliseconds: 10_500)[11] == 204)
    #expect(values(slow, 62, before: 61, milliseconds: 10_750)[11] == 51)
  }
}
