import Base
import Console
import Machine

/// What was found of one device.
struct TestResult {
  let device: TestedDevice
  let verdict: TestVerdict
  /// Why, and what to do; nil where nothing is to be said.
  var remark: TestRemark?
  /// The driver's own words in place of that.
  var failure: DeviceFailure?
  private var figures = InlineArray<4, TestFigure?>(repeating: nil)
  private var figureCount = 0

  private static var nameColumns: Int { 15 }
  private static var verdictColumns: Int { 9 }

  init(_ device: TestedDevice, _ verdict: TestVerdict, _ remark: TestRemark? = nil) {
    self.device = device
    self.verdict = verdict
    self.remark = remark
  }

  init(_ device: TestedDevice, failing failure: DeviceFailure?, _ cause: Cause) {
    self.init(device, .fail, TestRemark(cause))
    self.failure = failure
  }

  /// - Parameters:
  ///   - label: for people; a word or two.
  ///   - key: for programs, with the unit.
  ///   - unit: as people write it, in every language.
  mutating func add(_ label: StaticString, _ key: StaticString, _ value: ListedValue, _ unit: StaticString = "") {
    precondition(figureCount < figures.count, "a test has more figures than a result holds")
    figures[figureCount] = TestFigure(label: label, key: key, value: value, unit: unit)
    figureCount += 1
  }

  /// `microphone     pass     noise -64.8 dBFS, offset 0.00 %`, and below it why that is not well, and what to do.
  func reply(_ console: inout ConsoleSession) {
    var line: FixedText<256> = "\(console.label(device.name, columns: Self.nameColumns))"
    line.append(console.label(verdict.name, columns: Self.verdictColumns))
    for index in 0..<figureCount {
      guard let figure = figures[index] else { continue }
      if index > 0 { line.append(", ") }
      line.append(figure.text(console))
    }
    while line.bytes.hasSuffix(" ") { line.truncate(to: line.byteCount - 1) }
    console.quote(line, inRowsIndentedBy: Self.nameColumns)
    var reason: FixedText<320>?
    if let failure {
      reason = "               \(failure.problemLine): \(failure.remedy)"
    } else if let remark {
      reason = "               \(remark.text): \(remark.remedy)"
    }
    if let reason { console.reply(reason, inRowsIndentedBy: Self.nameColumns) }
  }

  /// Adds it to an object.
  func write(to writer: inout ListingWriter, _ console: inout ConsoleSession) {
    writer.beginRow()
    writer.cell("device", .name(device.name), console)
    writer.cell("verdict", .name(verdict.name), console)
    for index in 0..<figureCount {
      guard let figure = figures[index] else { continue }
      writer.cell(figure.key, figure.value, console)
    }
    if let failure {
      writer.cell("reason", text: failure.problemLine.bytes)
      writer.cell("remedy", .word(failure.remedy), console)
    } else if let remark {
      writer.cell("reason", .word(remark.text), console)
      writer.cell("remedy", .word(remark.remedy), console)
    }
    writer.endRow(&console)
  }
}

/// A number that a test has found.
private struct TestFigure {
  let label: StaticString
  let key: StaticString
  let value: ListedValue
  let unit: StaticString

  func text(_ console: borrowing ConsoleSession) -> FixedText<128> {
    var text: FixedText<128> = "\(console.label(label, columns: 0)) \(value.text(console))"
    if unit.utf8CodeUnitCount > 0 { text.append(" \(unit)" as FixedText<16>) }
    return text
  }
}
