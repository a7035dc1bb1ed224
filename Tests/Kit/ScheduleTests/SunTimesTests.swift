import Foundation
import Kit
import Testing

/// Compares with what Skyfield and PyEphem found, which `Tests/Kit/sun_times.py` wrote down.
@Suite struct SunTimesTests {
  private struct Row {
    let day: SunDay
    let latitude: Double
    let expected: [String]
    let text: String
  }

  private static let events = (0..<8).map { SunEvent(rawValue: $0)! }

  private static func rows() throws -> [Row] {
    let table = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("sun_times.txt")
    return try String(contentsOf: table, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.split(separator: " ").map(String.init)
      let latitude = try #require(Double(fields[1]))
      let day = SunDay(
        around: try #require(Int64(fields[0])), latitudeDegrees: latitude,
        longitudeDegrees: try #require(Double(fields[2])))
      return Row(day: day, latitude: latitude, expected: Array(fields[3...]), text: String(line))
    }
  }

  @Test("between 65° S and 65° N all that the sun does is within 5 s of Skyfield, from 1980 to 2080")
  func agrees() throws {
    let rows = try Self.rows()
    #expect(rows.count > 300)
    var comparedCount = 0
    for row in rows where abs(row.latitude) <= 65 {
      for (event, expected) in zip(Self.events, row.expected) {
        guard case .at(let instant) = row.day.time(of: event), let right = Int64(expected) else { continue }
        comparedCount += 1
        #expect(abs(instant - right) <= 5, "\(event) of \(row.text)")
      }
    }
    #expect(comparedCount > 2_000)
  }

  @Test("a sun that does not come to an altitude is told from one that does, and stays on the right side")
  func tellsPolarDays() throws {
    var kinds: Set<String> = []
    for row in try Self.rows() {
      for (event, expected) in zip(Self.events, row.expected) where expected != "?" {
        let found =
          switch row.day.time(of: event) {
          case .at: "at"
          case .staysAbove: "+"
          case .staysBelow: "-"
          }
        #expect(found == (Int64(expected) == nil ? expected : "at"), "\(event) of \(row.text)")
        kinds.insert(found)
      }
    }
    #expect(kinds == ["at", "+", "-"])
  }

  @Test("on a polar day the sun rises and sets when it is lowest, and in a polar night when it is highest")
  func fallsBack() {
    // Longyearbyen, where the sun is highest at 11:00 UTC or so.
    func sun(_ noon: Int64) -> SunDay {
      SunDay(around: noon, latitudeDegrees: 78.2232, longitudeDegrees: 15.6267)
    }
    let june = sun(1_781_956_800)  // 2026-06-20 12:00 UTC
    guard case .staysAbove(let morning) = june.time(of: .sunrise), case .staysAbove(let night) = june.time(of: .sunset)
    else {
      Issue.record("the sun sets in June")
      return
    }
    #expect(night - morning == 86_400 && abs(morning - (1_781_956_800 - 46_800)) < 600)
    let december = sun(1_797_768_000)  // 2026-12-20 12:00 UTC
    guard case .staysBelow(let rise) = december.time(of: .sunrise),
      case .staysBelow(let set) = december.time(of: .sunset)
    else {
      Issue.record("the sun rises in December")
      return
    }
    #expect(rise == set && abs(rise - (1_797_768_000 - 3_600)) < 600)
  }

  @Test("the poles and the date line have answers too", arguments: [-90.0, 0, 90], [-180.0, 0, 180])
  func hasAnswers(latitude: Double, longitude: Double) {
    for day in stride(from: 1_767_268_800 as Int64, to: 1_767_268_800 + 366 * 86_400, by: 11 * 86_400) {
      let sun = SunDay(around: day, latitudeDegrees: latitude, longitudeDegrees: longitude)
      for event in Self.events {
        #expect(abs(sun.time(of: event).unixSeconds - day) < 100_000, "\(event)")
      }
    }
  }
}
