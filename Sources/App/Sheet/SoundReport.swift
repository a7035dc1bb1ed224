import Base
import Catalog
import Console
import Media
import Record

/// A sound report: the takes of a day, for the editor, as text of other programs.
struct SoundReport {
  let form: ReportForm
  let day: Int64
  let localTime: LocalTime
  private var rowCount = 0
  private var row = Row()
  private var isRowEmpty = true

  init(_ form: ReportForm, day: Int64, localTime: LocalTime) {
    self.form = form
    self.day = day
    self.localTime = localTime
  }

  /// A row of CSV, at most 1,800 bytes; of HTML, a part of a row: 800 bytes, and a cell of at most 1,930 with escapes.
  private typealias Row = FixedText<2800>

  private static var htmlLineByteCount: Int { 800 }

  private static var heads: InlineArray<15, StaticString> {
    [
      "file", "project", "scene", "take", "tape", "start", "length", "tracks", "verdict", "notes", "format", "losses",
      "ended", "part", "loudness",
    ]
  }

  mutating func tell(_ record: TakeRecord, _ console: inout ConsoleSession) {
    if rowCount == 0 { begin(&console) }
    rowCount += 1
    let start = record.listed.recordedUnixSeconds.map { localTime.civilTime(unixSeconds: $0).iso8601 } ?? ""
    let length: FixedText<32> = record.listed.milliseconds.map { "\(elapsedMilliseconds: $0)" } ?? ""
    let losses: FixedText<16> = "\(record.listed.faultCount)"
    var part: FixedText<32> = "\(record.part.index) of take \(record.part.take, width: 4)"
    if record.part.index == 1 { part.removeAll() }
    open("<tr>")
    add(record.listed.path.bytes, &console)
    add(record.project.bytes, &console)
    add(record.scene.bytes, &console)
    add(record.sceneTake.bytes, &console)
    add(record.tape.bytes, &console)
    add(start.bytes, &console)
    add(length.bytes, &console)
    add(record.tracks.bytes, &console)
    add(Self.word(record.verdict).utf8Bytes, &console)
    add(record.remarks.bytes, &console)
    add(record.format.text.bytes, &console)
    add(losses.bytes, &console)
    add(record.ending.bytes, &console)
    add(part.bytes, &console)
    add(record.loudness.bytes, &console)
    close("</tr>", &console)
  }

  mutating func end(_ console: inout ConsoleSession) {
    if rowCount == 0 { begin(&console) }
    if form == .html { console.quote("</table></body></html>" as FixedText<32>) }
    console.complete()
  }

  private mutating func begin(_ console: inout ConsoleSession) {
    let day = CivilTime(unixSeconds: day * 86_400).isoDate
    if form == .html {
      console.quote(
        """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sound report \(day)</title><style>table\
        {border-collapse:collapse}td,th{border:1px solid #888;padding:.2em .4em;text-align:left;vertical-align:top}\
        </style></head><body><h1>Sound report \(day)</h1><table>
        """ as FixedText<400>)
    }
    open("<tr>")
    for index in Self.heads.indices { add(Self.heads[index].utf8Bytes, &console) }
    close("</tr>", &console)
  }

  private mutating func open(_ tag: StaticString) {
    row.removeAll()
    isRowEmpty = true
    if form == .html { row.append(tag) }
  }

  private mutating func close(_ tag: StaticString, _ console: inout ConsoleSession) {
    if form == .html { row.append(tag) }
    console.quote(row)
  }

  /// Adds a cell. Lines of HTML end at any cell.
  private mutating func add(_ text: Span<UInt8>, _ console: inout ConsoleSession) {
    switch form {
    case .html:
      if row.byteCount > Self.htmlLineByteCount {
        console.quote(row)
        row.removeAll()
      }
      row.append("<td>")
      row.append(html: text)
      row.append("</td>")
    case .csv:
      if !isRowEmpty { row.append(",") }
      isRowEmpty = false
      row.append(csv: text)
    }
  }

  private static func word(_ verdict: TakeVerdict) -> StaticString { verdict == .neither ? "" : verdict.name }
}

extension FixedText {
  /// A cell of RFC 4180. One that a spreadsheet would take for a formula gets an apostrophe in front, by which it knows
  /// text.
  fileprivate mutating func append(csv text: Span<UInt8>) {
    let isFormula = text.count > 0 && text.isFormulaStart
    var isQuoted = isFormula
    for index in text.indices where text[index] == UInt8(ascii: ",") || text[index] == UInt8(ascii: "\"") {
      isQuoted = true
    }
    guard isQuoted else { return append(bytes: text) }
    append(isFormula ? "\"'" : "\"")
    for index in text.indices {
      if text[index] == UInt8(ascii: "\"") { append("\"") }
      append(byte: text[index])
    }
    append("\"")
  }

  mutating func append(html text: Span<UInt8>) {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "\""): append("&quot;")
      case UInt8(ascii: "'"): append("&#39;")
      default: append(byte: text[index])
      }
    }
  }
}

extension Span<UInt8> {
  /// Whether it begins with a sign that begins a formula, in full width too (U+FF1D, FF0B, FF0D, FF20), as some
  /// spreadsheets in East Asia take it.
  fileprivate var isFormulaStart: Bool {
    var byte = self[0]
    if count > 2, byte == 0xEF, self[1] == 0xBC { byte = self[2] &- 0x60 }
    return byte == UInt8(ascii: "=") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "\t")
  }
}
