import Base
import Catalog
import Configuration
import Console
import Kit
import Machine
import Media
import Record
import Wire

extension RecordingService {
  /// Runs a command about the sheet. What is entered during a take counts from that take on.
  mutating func run(
    _ command: SheetCommand, for origin: Origin, _ console: inout ConsoleSession, at now: Instant
  ) {
    let isOpen = isTakeOpen
    switch command {
    case .show: break
    case .set(let field, let text):
      sheet.change { sheet in
        switch field {
        case .project: sheet.project = text
        case .scene: sheet.setScene(text, isTakeOpen: isOpen)
        case .tape: sheet.tape = text
        }
      }
      if isOpen {
        enter("\(field.name): ", text, at: capture.position(at: now))
        if field == .scene { enterSceneTake(at: capture.position(at: now)) }
      }
    case .track(let channel, let name):
      sheet.change { $0.setTrack(channel, to: name) }
      if isOpen { ledger.note("track \(channel): \(name)", at: capture.position(at: now)) }
    case .take(let number):
      guard !sheet.sheet.scene.isEmpty else {
        return console.refuse("takes are counted by scene: enter scene first" as FixedText<64>, for: origin)
      }
      sheet.change { $0.setTake(number, isTakeOpen: isOpen) }
      if isOpen { enterSceneTake(at: capture.position(at: now)) }
    }
    if origin == .console { report(&console) }
  }

  private func report(_ console: inout ConsoleSession) {
    let sheet = sheet.sheet
    if sheet.isEmpty { return console.answer("the sheet is empty: scene, project, tape and track enter something") }
    if !sheet.project.isEmpty { console.reply("project      \(sheet.project)" as FixedText<96>) }
    if let line = sheet.sceneLine(isTakeOpen: isTakeOpen) { console.reply(line) }
    if !sheet.tape.isEmpty { console.reply("tape         \(sheet.tape)" as FixedText<96>) }
    for channel in 1...TakeSheet.trackCount where !sheet.track(channel).isEmpty {
      console.reply("track \(channel)      \(sheet.track(channel))" as FixedText<96>)
    }
    console.complete()
  }

  /// At the start of each file of a take: enters what is known of the take.
  mutating func enterSheet(at position: TimelinePosition) {
    let sheet = sheet.sheet
    if !sheet.project.isEmpty { enter("project: ", sheet.project, at: position) }
    if !sheet.scene.isEmpty {
      enter("scene: ", sheet.scene, at: position)
      enterSceneTake(at: position)
    }
    if !sheet.tape.isEmpty { enter("tape: ", sheet.tape, at: position) }
    // The second half of the channels, if there are safety tracks.
    let channelCount = capture.audioFormat?.channelCount ?? 0
    let half = settings.audio.processing.safetyDecibels == nil ? 0 : UInt8(channelCount / 2)
    for channel in 1...TakeSheet.trackCount {
      if !sheet.track(channel).isEmpty {
        ledger.note("track \(channel): \(sheet.track(channel))", at: position)
      } else if channel > half, channel <= 2 * half {
        let name = sheet.track(channel - half)
        ledger.note(
          name.isEmpty ? "track \(channel): safety of \(channel - half)" : "track \(channel): \(name) safety",
          at: position)
      }
    }
  }

  private mutating func enter(_ key: FixedText<16>, _ text: TakeSheet.Name, at position: TimelinePosition) {
    ledger.note("\(key)\(text)", at: position)
  }

  /// The number is empty without a scene, which ends an earlier one.
  private mutating func enterSceneTake(at position: TimelinePosition) {
    let number = sheet.sheet.takeNumber(isTakeOpen: true).map { "\($0)" } ?? "" as FixedText<16>
    ledger.note("take: \(number)", at: position)
  }

  /// Adds a verdict to the open take.
  /// - Parameter verdict: nil calls it false, or takes that back.
  mutating func judge(_ verdict: TakeVerdict?, for origin: Origin, _ console: inout ConsoleSession, at now: Instant) {
    let verdict = verdict ?? (take?.verdict == .falseTake ? .neither : .falseTake)
    guard ledger.note("\(TakeVerdict.key)\(verdict.name)", at: capture.position(at: now)) else {
      return console.refuse(Self.notKept, for: origin)
    }
    take?.verdict = verdict
    sheet.isShown = false
    let path = take?.path ?? ""
    console.tell(verdict.line(path.isEmpty ? "take" : path), to: origin)
  }

  /// Adds a note to the open take.
  mutating func note(
    _ remark: TakeRemark, for origin: Origin, _ console: inout ConsoleSession, at now: Instant
  ) {
    var remarks = sheet.remarks
    remarks.add(remark: remark.bytes)
    guard !remarks.isTruncated else { return console.refuse(KeeperRefusal.noRoomForNote.line, for: origin) }
    guard ledger.note("\(LedgerFacts.remarkKey)\(remark)", at: capture.position(at: now)) else {
      return console.refuse(Self.notKept, for: origin)
    }
    sheet.remarks = remarks
    if origin == .console { console.complete() }
  }

  private static var notKept: FixedText<64> { "the card does not answer: this is not kept" }
}

extension TakeSheet {
  /// For people; nil without a scene.
  func sceneLine(isTakeOpen: Bool) -> FixedText<256>? {
    guard let number = takeNumber(isTakeOpen: isTakeOpen) else { return nil }
    return isTakeOpen ? "scene        \(scene), take \(number)" : "scene        \(scene), next take \(number)"
  }
}

extension TakeVerdict {
  /// - Parameter path: of the take.
  func line(_ path: FixedText<128>) -> FixedText<256> {
    switch self {
    case .neither: "\(path) is neither circled nor called false"
    case .circled: "\(path) is circled"
    case .falseTake: "\(path) is called false"
    }
  }
}

extension ConsoleSession {
  /// The result of what a button or a command has done.
  fileprivate mutating func tell(_ line: FixedText<256>, to origin: Origin) {
    switch origin {
    case .button: announce(line)
    case .console: answer(line)
    }
  }
}

extension Services {
  /// Runs `circle` or `note`.
  mutating func run(_ command: RemarkCommand, for origin: Origin, at now: Instant) {
    switch command {
    case .judge(let verdict, let choice):
      guard !recording.isOpen(choice) else { return recording.judge(verdict, for: origin, &console, at: now) }
      retention.begin(choice ?? .newest, .judge(verdict), for: origin, &console)
    case .note(let remark):
      guard !recording.isTakeOpen else { return recording.note(remark, for: origin, &console, at: now) }
      retention.begin(.newest, .note(remark), for: origin, &console)
    }
  }

  /// A long press of the button `stop`: calls the open take or the last one false, or takes that back.
  mutating func callFalse(at now: Instant) {
    if recording.isTakeOpen {
      recording.judge(nil, for: .button, &console, at: now)
    } else {
      retention.begin(.newest, .judge(nil), for: .button, &console)
    }
  }

  /// At each exchange: carries out the next order of a listener, and shows the page what has come of the last one.
  mutating func serveListener(at now: Instant) {
    if recording.sheet.answer != retention.answer { recording.sheet.answer = retention.answer }
    guard let line = liveView.nextOrder(at: now) else { return }
    let sharesAll = line.bytes.equals("share on")
    if sharesAll || line.bytes.equals("share off") { return playback.serve(shareOrder: sharesAll, &console) }
    console.announce("a listener enters \(line)" as FixedText<320>)
    enter(line, at: now)
    retention.answer = retention.isRemarking ? 0 : console.eventCount
    recording.sheet.answer = retention.answer
  }

  /// Carries out a line that enters something about a take, and no other: whatever is refused is announced.
  private mutating func enter(_ line: FixedText<256>, at now: Instant) {
    do throws(CommandError) {
      switch try console.command(in: line.bytes) {
      // The take is the one that is being recorded, or else the last one.
      case nil, .sheet(.show), .remark(.judge(_, _?)): break
      case .sheet(let command): return recording.run(command, for: .button, &console, at: now)
      case .remark(let command): return run(command, for: .button, at: now)
      default: break
      }
      console.announce("a listener may not do this", as: .warning)
    } catch {
      console.announce(error.line, as: .warning)
    }
  }
}

extension RecordingService {
  fileprivate func isOpen(_ choice: TakeChoice?) -> Bool {
    guard isTakeOpen else { return false }
    switch choice {
    case nil, .newest: return true
    case .number(let number): return take.flatMap { TakeName(stemOf: $0.path.lastPart) }?.number == number
    case .path(let path): return take?.path == path
    case .name: return false
    }
  }
}

/// The sheet of the takes, and the file that keeps it across restarts. A damaged file is set aside, and what can be read
/// of it is used.
struct KeptSheet {
  private(set) var sheet = TakeSheet()
  /// The notes in the open file.
  var remarks = TakeRemarks() {
    didSet { isShown = false }
  }
  /// The number of events up to the one that tells what came of the newest order of a listener; 0 until there is one.
  var answer: UInt64 = 0 {
    didSet { isShown = false }
  }
  /// Whether other processes see all of it as it is.
  fileprivate var isShown = false
  private let file: KeptText
  private var changes = KeptChanges()

  init(_ file: KeptText, in storage: inout Storage) {
    var sheet = TakeSheet()
    file.readOrSetAside(from: &storage) { sheet.read($0) }
    self.sheet = sheet
    self.file = file
  }

  mutating func change(_ body: (inout TakeSheet) -> Void) {
    body(&sheet)
    changes.note()
    isShown = false
  }

  /// At each exchange: shows other processes what has changed.
  /// - Parameter verdict: on the newest take.
  mutating func show(_ verdict: TakeVerdict, in cell: ViewSheetCell, _ console: borrowing ConsoleSession) {
    guard !isShown else { return }
    isShown = true
    cell.publish(sheet.text(verdict, remarks: remarks, answer: console.event(answer &- 1)?.line ?? ""))
  }

  /// A take begins. Without a scene it is not counted, and costs the card nothing.
  mutating func countTake() {
    if !sheet.scene.isEmpty { change { $0.countTake() } }
  }

  /// A take that was counted has failed before its file was open.
  mutating func giveBackTake() {
    if !sheet.scene.isEmpty { change { $0.giveBackTake() } }
  }

  /// Whether the card has all of it.
  var isKept: Bool { changes.areKept }

  /// At each tick: gives the worker the changes, and reports failures.
  mutating func step(_ console: inout ConsoleSession) {
    if changes.takesWriting(file, &console) { file.write(sheet.text) }
  }
}

/// How far the changes of a kept text are.
struct KeptChanges {
  /// Whether there are changes that the worker has not been given yet.
  private var areWaiting = false
  private var areBeingWritten = false

  mutating func note() { areWaiting = true }

  var areKept: Bool { !areWaiting && !areBeingWritten }

  /// At each tick: reports a failure.
  /// - Returns: whether the text must be written now.
  mutating func takesWriting(_ file: KeptText, _ console: inout ConsoleSession) -> Bool {
    guard !areKept, !file.isBeingWritten else { return false }
    if areBeingWritten, let failure = file.failure { console.announce(failure) }
    areBeingWritten = areWaiting
    areWaiting = false
    return areBeingWritten
  }
}
