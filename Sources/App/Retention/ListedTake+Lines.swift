import Base
import Catalog
import Console
import Wire

/// The list that `takes` prints.
struct TakeLines {
  let form: StatusForm
  let localTime: LocalTime

  private static var titles: InlineArray<7, StaticString> {
    ["number", "when", "length", "size", "turned", "marks", "faults"]
  }

  /// 69 columns, and the name.
  private static func columns(_ index: Int) -> Int {
    let columns: InlineArray<7, Int> = [6, 18, 10, 10, 8, 7, 8]
    return columns[index]
  }

  func head(_ console: borrowing ConsoleSession) -> FixedText<256> {
    var line = FixedText<256>()
    for index in Self.titles.indices {
      line.append(right: FixedText(console.words(Self.titles[index]).bytes), columns: Self.columns(index))
    }
    return line
  }

  func line(_ take: ListedTake, _ console: borrowing ConsoleSession) -> FixedText<320> {
    form == .json ? json(take) : row(take, console)
  }

  private func row(_ take: ListedTake, _ console: borrowing ConsoleSession) -> FixedText<320> {
    var line = FixedText<256>()
    let time = localTime.civilTime(unixSeconds: take.unixSeconds)
    let date: FixedText<16> = "\(time.isoDate)"
    line.append(right: "\(take.number)", columns: Self.columns(0))
    line.append(right: "\(date) \(time.hour, width: 2):\(time.minute, width: 2)", columns: Self.columns(1))
    var length: FixedText<32> = "-"
    if let milliseconds = take.milliseconds {
      let seconds = (milliseconds + 500) / 1000
      length = "\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2)"
    }
    line.append(right: length, columns: Self.columns(2))
    line.append(right: "\(size: take.byteCount)", columns: Self.columns(3))
    line.append(right: take.clockwiseDegrees.map { "\($0)°" as FixedText<32> } ?? "-", columns: Self.columns(4))
    line.append(right: "\(take.markCount)", columns: Self.columns(5))
    line.append(right: "\(take.faultCount)", columns: Self.columns(6))
    if take.isOpen { line.append("  \(console.words("recording"))" as FixedText<64>) }
    if take.isProtected { line.append("  \(console.words("protected"))" as FixedText<64>) }
    if !take.name.isEmpty { line.append("  \(take.name.printable)" as FixedText<80>) }
    return FixedText(line.bytes)
  }

  private func json(_ take: ListedTake) -> FixedText<320> {
    var line: FixedText<320> = "{\"number\":\(take.number),\"path\":\"\(json: take.path)\","
    line.append("\"recorded\":\"\(CivilTime(unixSeconds: take.unixSeconds).iso8601)\"," as FixedText<64>)
    line.append("\"bytes\":\(take.byteCount),\"milliseconds\":" as FixedText<64>)
    line.append(Self.number(take.milliseconds))
    line.append(",\"clockwise_degrees\":")
    line.append(Self.number(take.clockwiseDegrees.map { UInt64($0) }))
    line.append(",\"marks\":\(take.markCount),\"faults\":\(take.faultCount)" as FixedText<64>)
    line.append(",\"protected\":\(take.isProtected),\"recording\":\(take.isOpen)" as FixedText<64>)
    line.append(",\"name\":\"\(json: take.name)\"}" as FixedText<160>)
    return line
  }

  private static func number(_ number: UInt64?) -> FixedText<32> { number.map { "\($0)" as FixedText<32> } ?? "null" }
}

extension ListedTake {
  /// Its first instant, by its name: seconds since 1970.
  fileprivate var unixSeconds: Int64 {
    let day = CivilTime.dayNumber(ofDateText: path.parentFolder.lastPart) ?? 0
    let name = path.lastPart
    func part(_ range: Range<Int>) -> Int64 { name.extracting(range).parseInteger(as: Int64.self) ?? 0 }
    return day * 86_400 + part(0..<2) * 3600 + part(2..<4) * 60 + part(4..<6)
  }
}
