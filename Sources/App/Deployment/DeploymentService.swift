import Base
import Configuration
import Console
import Kit
import Machine
import Record
import Wire

/// The time for which the recorder is left alone, and the file that keeps what was known when it began.
struct DeploymentService: ~Copyable {
  private let place = StaysInPlace()
  private let file: KeptText
  private(set) var name = DeploymentName()
  private(set) var note = FixedText<96>()
  /// In Unix seconds; 0 if the clock was not set.
  private(set) var since: Int64 = 0
  private(set) var isOn = false
  private var content = KeptText.Content()
  private var changes = KeptChanges()

  init(_ file: KeptText, in storage: inout Storage) {
    self.file = file
    var name = DeploymentName()
    var note = FixedText<96>()
    var since: Int64 = 0
    var hasEnded = false
    var content = KeptText.Content()
    file.readOrSetAside(from: &storage) { text in
      content = KeptText.Content(text)
      text.forEachLine { line in
        if let value = line.removingPrefix("name = ") { name = FixedText(value) }
        if let value = line.removingPrefix("note = ") { note = FixedText(value) }
        if let value = line.removingPrefix("since = ") { since = value.parseInteger(as: Int64.self) ?? 0 }
        if line.removingPrefix("ended = ") != nil { hasEnded = true }
      }
      return true
    }
    self.name = name
    self.note = note
    self.since = since
    self.content = content
    isOn = !name.isEmpty && !hasEnded
  }

  /// Its name; empty if there is none now.
  var present: DeploymentName { isOn ? name : "" }

  /// Whether all changes are on the card.
  var isKept: Bool { changes.areKept }

  mutating func begin(
    _ name: DeploymentName, note: FixedText<96>, _ context: borrowing ApplianceContext, _ settings: Settings,
    fix: GeoPoint?, _ clock: ClockReading
  ) {
    let isSet = clock.source != .unset
    self.name = name
    self.note = note
    since = isSet ? clock.unixNanoseconds / 1_000_000_000 : 0
    isOn = true
    content = DeploymentFile.text(name, note: note, since: since, context, settings, fix: fix)
    changes.note()
  }

  mutating func end(_ context: borrowing ApplianceContext, _ clock: ClockReading) {
    isOn = false
    let seconds = clock.unixNanoseconds / 1_000_000_000
    content.append(DeploymentFile.end(context.localTime.civilTime(unixSeconds: seconds)))
    changes.note()
  }

  /// Before the device changes hands.
  mutating func forget() {
    guard !name.isEmpty else { return }
    (name, note, since, isOn) = (DeploymentName(), FixedText(), 0, false)
    content = KeptText.Content()
    changes.note()
  }

  /// At each wake: gives the worker what has changed, and reports failures.
  mutating func step(_ console: inout ConsoleSession) {
    if changes.takesWriting(file, &console) { file.write(content) }
  }
}

extension Services {
  /// Runs `deploy`.
  mutating func run(_ command: DeployCommand, _ clock: borrowing Clock) {
    switch command {
    case .show(let form): reportDeployment(form, clock)
    case .begin, .end: changeDeployment(command, clock)
    case .report(let isPage):
      if summary.text.isEmpty, !isSummedUp { return console.refuse("there is no day yet: deploy NAME begins") }
      if isPage { return console.pending = .deploy(.plot(0, day: 0, from: 0)) }
      console.head("day        recorded  missed")
      console.pending = .deploy(.report(from: 0))
    case .check(let days, let form): console.pending = .deploy(.check(done: 0, of: days, seconds: 0, form))
    }
  }

  /// `wipe` has been confirmed: scenes, project and tracks, and the deployment go too.
  mutating func forgetEntries() {
    retention.isForgetting = false
    deployment.forget()
    if recording.sheet.sheet.text != TakeSheet().text { recording.sheet.change { $0 = TakeSheet() } }
  }

  private mutating func changeDeployment(_ command: DeployCommand, _ clock: borrowing Clock) {
    switch command {
    case .begin where deployment.isOn:
      console.refuse("\(deployment.name) is deployed: deploy end ends that first" as FixedText<128>)
    case .begin(let name, let note):
      summary.beginTotal()
      deployment.begin(name, note: note, context, configuration.current, fix: position.fix, ClockReading(clock))
      console.answer("deployment \(name) begins: deploy check tells what would spoil it")
    case .end where !deployment.isOn: console.refuse("there is no deployment: deploy NAME begins one")
    default:
      deployment.end(context, ClockReading(clock))
      console.answer("deployment \(deployment.name) ends")
    }
  }

  private mutating func reportDeployment(_ form: StatusForm, _ clock: borrowing Clock) {
    if form == .lines, deployment.name.isEmpty {
      return console.answer("there is no deployment: deploy NAME begins one")
    }
    let counts = summary.total
    let (since, name) = (deployment.since, deployment.name)
    let begin = since > 0 ? context.localTime.civilTime(unixSeconds: since).iso8601 : ""
    let days = since > 0 && clock.source != .unset ? Double(max(clock.unixSeconds - since, 0)) / 86_400 : nil
    console.beginReport(form)
    console.fact("deployment", "name", text: name)
    console.longFact("note", "note", deployment.note.bytes, form)
    console.fact("deployed", "on", .flag(deployment.isOn))
    console.fact("since", "since", text: begin)
    console.fact("days", "days", .decimal(deployment.isOn ? days : nil, decimals: 2))
    console.fact("scheduled, h", "scheduled_hours", .decimal(counts.hours(.scheduled), decimals: 4))
    console.fact("recorded, h", "recorded_hours", .decimal(counts.hours(.recorded), decimals: 4))
    console.fact("missed, h", "missed_hours", .decimal(Double(counts.missed) / 3_600_000, decimals: 4))
    console.longFact("missed, s", "missed_seconds", counts.reasons.bytes, form)
    console.fact("takes", "takes", .count(counts[.takes]))
    console.fact("lost, s", "lost_seconds", .decimal(Double(counts[.lost]) / 1000, decimals: 3))
    console.fact("starts", "starts", .count(counts[.starts]))
    console.endReport()
  }

  /// At each tick while `deploy report` or `deploy check` is pending.
  mutating func advance(_ task: DeployTask, _ clock: borrowing Clock, at now: Instant) {
    if console.takeInterrupt() { return console.complete() }
    switch task {
    case .report(let offset): reportDays(from: offset)
    case .plot(let number, let day, let offset): reportPlot(number, day: day, from: offset)
    case .check(let done, let days, let seconds, let form):
      guard done < days, schedule.hasRules, clock.source != .unset else {
        guard console.canReply else { return }
        return reportCheck(DeployCheck(days: days, scheduledSeconds: seconds), form, clock, at: now)
      }
      let start = clock.unixSeconds + Int64(done) * 86_400
      let more = schedule.takeSeconds(from: start, to: start + 86_400, for: takeRounding)
      console.pending = .deploy(.check(done: done + 1, of: days, seconds: seconds + more, form))
    }
  }

  /// Prints the days as far as the console has space; the rest follows at a later tick.
  private mutating func reportDays(from offset: Int) {
    var offset = offset
    while let (row, next) = summary.row(from: offset) {
      guard console.canReply else { return console.pending = .deploy(.report(from: offset)) }
      console.tellDay(row)
      offset = next
    }
    guard console.canReply else { return console.pending = .deploy(.report(from: offset)) }
    console.complete()
  }
}

extension SummaryService {
  /// The first row of a day at or after an offset, and the offset after it. The present day's row comes last.
  func row(from offset: Int) -> (row: FixedText<768>, next: Int)? {
    let text = self.text
    var start = offset
    // The head is not a day.
    if start == 0 { while start < text.count, text[start] != UInt8(ascii: "\n") { start += 1 } }
    if offset == 0, start < text.count { start += 1 }
    guard start < text.count else {
      return start == text.count && today.day > 0 ? (today.row, start + 1) : nil
    }
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
    return (FixedText(text.extracting(start..<end)), min(end + 1, text.count))
  }
}

extension SummaryCounts {
  func hours(_ count: SummaryCount) -> Double { Double(self[count]) / 3_600_000 }
}

extension ConsoleSession {
  /// A fact whose text is longer than a column.
  fileprivate mutating func longFact(
    _ label: StaticString, _ key: StaticString, _ text: Span<UInt8>, _ form: StatusForm
  ) {
    guard form == .lines else { return member(key, text: text, emptyIsNull: true) }
    guard !text.isEmpty else { return }
    beginRow()
    name(label, columns: 24)
    cell(key, text: text)
    endRow()
  }

  /// A row of `summary.csv`, with a bar of half hours: `#` recorded, `.` missed.
  fileprivate mutating func tellDay(_ row: FixedText<768>) {
    let recorded = row.bytes.cell(2).parseDecimal() ?? 0
    let missed = row.bytes.cell(3).parseDecimal() ?? 0
    var line = FixedText<128>(row.bytes.cell(0))
    while line.byteCount < 11 { line.append(" ") }
    line.append(column: recorded)
    line.append(column: missed)
    line.append("  ")
    let marks = Int(min(recorded, 24) * 2 + 0.5)
    for _ in 0..<marks { line.append("#") }
    // Missed time shows, however short it was.
    let gaps = missed > 0 ? max(Int(min(missed, 24) * 2 + 0.5), 1) : 0
    for _ in 0..<min(gaps, 48) where line.byteCount < 79 { line.append(".") }
    quote(line)
    let reasons = row.bytes.cell(4)
    if !reasons.isEmpty { quote("           \(FixedText<256>(reasons))" as FixedText<300>) }
  }
}

extension FixedText<128> {
  /// Hours, right-aligned in eight columns.
  fileprivate mutating func append(column hours: Double) {
    let text: FixedText<16> = "\(hours, decimals: 1)"
    for _ in text.byteCount..<max(8, text.byteCount) { append(" ") }
    append(text)
  }
}

extension Span where Element == UInt8 {
  /// A cell of a line of comma-separated values without quotes, counted from 0; empty if there is none.
  @_lifetime(copy self)
  func cell(_ number: Int) -> Span<UInt8> {
    var (rest, number) = (self, number)
    while true {
      let end = rest.firstIndex(of: ",") ?? rest.count
      if number == 0 { return rest.extracting(first: end) }
      guard end < rest.count else { return rest.extracting(first: 0) }
      rest = rest.extracting(droppingFirst: end + 1)
      number -= 1
    }
  }
}
