import Base
import Foundation
import Kit
import TestSupport
import Testing

/// Compares every minute of the day with a table that a script makes by another method: it searches the grid for
/// phrases.
@Suite struct HangulMinuteTests {
  private struct Row {
    let minute: Int
    let full: String
    let bare: String
    let by24: String
    let fullPlaces: [Int]
    let barePlaces: [Int]
  }

  private static func table() throws -> [Row] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("hangul_minutes.py").path
    return try ForeignProgram.text("python3", [script]).split(separator: "\n").map { line in
      let fields = line.split(separator: "\t").map(String.init)
      let places = fields.suffix(2).map { $0.split(separator: ",").compactMap { Int($0) } }
      return Row(
        minute: try #require(Int(fields[0])), full: fields[1], bare: fields[2], by24: fields[3], fullPlaces: places[0],
        barePlaces: places[1])
    }
  }

  private static func places(_ minute: Int, hasMeridiem: Bool) -> [Int] {
    let lit = LitSyllables(minuteOfDay: minute, hasMeridiem: hasMeridiem)
    return (0..<HangulBoard.count).filter { lit.contains($0) }
  }

  @Test("all 1,440 minutes light what the script finds on the board, and are said as it says them")
  func everyMinute() throws {
    let rows = try Self.table()
    #expect(rows.map(\.minute) == Array(0..<1440))
    for row in rows {
      #expect(Self.places(row.minute, hasMeridiem: true) == row.fullPlaces, "\(row.full)")
      #expect(Self.places(row.minute, hasMeridiem: false) == row.barePlaces, "\(row.bare)")
      #expect(String(HangulTime.line(minuteOfDay: row.minute, hasMeridiem: true)) == row.full)
      #expect(String(HangulTime.line(minuteOfDay: row.minute, hasMeridiem: false)) == row.bare)
      #expect(String(HangulTime.line24(minuteOfDay: row.minute)) == row.by24)
    }
  }

  @Test("all 1,440 minutes are distinct on the board, and said by 24 hours")
  func distinct() {
    #expect(Set((0..<1440).map { LitSyllables(minuteOfDay: $0, hasMeridiem: true).bits }).count == 1440)
    #expect(Set((0..<1440).map { String(HangulTime.line24(minuteOfDay: $0)) }).count == 1440)
  }

  @Test("lit syllables, read in order, are what is said, and the dot is never among them")
  func readInOrder() {
    for minute in 0..<1440 {
      let places = Self.places(minute, hasMeridiem: true)
      let read = places.map { String(HangulBoard.syllable(at: $0)) }.joined()
      let said = String(HangulTime.line(minuteOfDay: minute, hasMeridiem: true))
      #expect(read == said.filter { $0 != " " })
      #expect(!places.contains(HangulBoard.dot))
    }
  }

  @Test(
    "times that people know",
    arguments: [
      (0, "자정", "자정"), (1, "오전 열두 시 일 분", "영 시 일 분"), (60, "오전 한 시", "한 시"), (610, "오전 열 시 십 분", "열 시 십 분"),
      (719, "오전 열한 시 오십구 분", "열한 시 오십구 분"), (720, "정오", "정오"), (750, "오후 열두 시 삼십 분", "열두 시 삼십 분"),
      (1025, "오후 다섯 시 오 분", "십칠 시 오 분"), (1439, "오후 열한 시 오십구 분", "이십삼 시 오십구 분"),
    ])
  func known(minute: Int, full: String, by24: String) {
    #expect(String(HangulTime.line(minuteOfDay: minute, hasMeridiem: true)) == full)
    #expect(String(HangulTime.line24(minuteOfDay: minute)) == by24)
  }

  @Test("the board is the one of the issue")
  func board() {
    let syllables = (0..<HangulBoard.count).map { String(HangulBoard.syllable(at: $0)) }
    let rows = (0..<6).map { syllables[6 * $0..<6 * $0 + 6].joined() }
    #expect(rows == ["오전후자정오", "열한두세네·", "다여섯덟일곱", "아홉시이삼사", "오십일이삼사", "오육칠팔구분"])
  }
}
