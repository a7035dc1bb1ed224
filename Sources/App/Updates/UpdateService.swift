import Base
import Console
import Machine
import Wire

/// Follows updates of the card's image, which the image's installer carries out, and reports what becomes of them.
struct UpdateService {
  /// Whether the machine runs the card's image.
  let isAvailable: Bool
  /// The newest report; nil before the first.
  private var newest: UpdateReport?
  private var look: PolledInquiry

  init(isAvailable: Bool) {
    self.isAvailable = isAvailable
    look = PolledInquiry(due: isAvailable ? 0 : nil)
  }

  var isBusy: Bool { newest?.isBusy == true }

  /// At each exchange: asks while an update may be under way. An idle recorder does not wake the worker for it.
  mutating func step(_ system: inout SystemJob, _ console: inout ConsoleSession) {
    guard look.isDue(at: console.now) else { return }
    let isStarting = console.now.distance(since: console.start ?? 0) < Limits.updateTrialSeconds * 1_000_000_000
    let seconds =
      newest?.isBusy == true ? Limits.busyUpdateSeconds : isStarting ? Limits.trialUpdateSeconds : nil
    look.ask(.update(.look), againAfter: seconds, &system, &console)
  }

  /// Takes a reply of the system if it is meant for this service.
  mutating func serve(_ reply: DeviceResult<InspectorReply>, _ ticket: UInt32, _ console: inout ConsoleSession) {
    if look.takesReply(ticket), case .done(.update(let report)) = reply { note(report, &console) }
  }

  /// Reports what is new as an event: the results, and the beginning.
  mutating func note(_ report: UpdateReport, _ console: inout ConsoleSession) {
    let last = newest
    newest = report
    if report.isBusy { look.hasten(to: console.now + Limits.busyUpdateSeconds * 1_000_000_000) }
    if let last, last.state == report.state, last.refusal == report.refusal, last.detail == report.detail { return }
    let line: FixedText<300> = "update: \(report.line)"
    switch report.state {
    case .installing, .installed, .trial, .kept: console.announce(line)
    case .refused, .returned: console.announce(line, as: .warning)
    case .unavailable, .none, .asked, .checking: break
    }
  }
}

extension Services {
  mutating func run(_ command: UpdateCommand) {
    if updates.isAvailable { return ask(.update(command)) }
    guard case .show(.json) = command else { return console.refuse(UpdateReport().line) }
    UpdateReport().report(.json, &console)
  }

  /// Continues `update` with the system's answer.
  mutating func tell(_ command: UpdateCommand, _ report: UpdateReport) {
    if report.refusal == .busy { return console.refuse(report.line) }
    updates.note(report, &console)
    switch command {
    case .show(let form): report.report(form, &console)
    case .begin: answer(report, until: console.now + Limits.updateAnswerSeconds * 1_000_000_000)
    }
  }

  /// Replies to `update FILE` once the installer has accepted or refused the update.
  mutating func tellBeginning(_ report: UpdateReport, until end: Instant) {
    updates.note(report, &console)
    answer(report, until: end)
  }

  private mutating func answer(_ report: UpdateReport, until end: Instant) {
    switch report.state {
    case .refused: console.refuse(report.line)
    case .asked where console.now < end, .checking where console.now < end: awaitInstaller(until: end)
    default: console.answer(report.line)
    }
  }
}

extension UpdateReport {
  /// For people, what is known, and for programs every member.
  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.member("state", .name(state.name))
    console.member("reason", .name(refusal?.name))
    console.member("percent", .count(percent))
    console.member("detail", text: detail.bytes)
    console.member("board", text: board.bytes)
    console.member("release", text: release.bytes)
    console.member("slot", text: slot.bytes)
    if !release.isEmpty { console.line("release \(release) runs from slot \(slot)") }
    console.line(line)
    console.endReport()
  }

  /// What became of it, as one line.
  var line: FixedText<256> {
    switch state {
    case .unavailable: "this is not the card's image: install a new release the way you installed this one"
    case .none: "there was no update since the start"
    case .asked: "the update waits for the installer"
    case .checking: "the update is being checked"
    case .installing: "the update is being installed, \(percent ?? 0) %: update status shows the progress"
    case .installed: "release \(detail.printable) is installed: it starts at the next start, on trial"
    case .trial: "the release is on trial: it is kept once it records"
    case .kept: "the release has recorded, and is kept"
    case .returned: "the update did not record: the release before it runs again"
    case .refused: refusalLine
    }
  }

  private var refusalLine: FixedText<256> {
    switch refusal {
    case .busy: "another update is being installed: update status shows its progress"
    case .name: "name the update by an absolute path, or by its name without a folder"
    case .missing: "there is no \(detail.printable): copy it to the data folder, or plug in the stick that has it"
    case .notAFile: "\(detail.printable) is not a file"
    case .foreign: "this device does not accept the file as an update: \(detail.printable)"
    case .board: "the update is for \(detail.printable), and this is \(board.printable)"
    case .older:
      "the update is release \(detail.printable), and \(release.printable) runs: --allow accepts it all the same"
    case .trial: "the release is still on trial: wait until it is kept"
    case .failed, nil: "the update could not be installed: \(detail.printable)"
    }
  }
}

extension Limits {
  /// How often the loop asks about an update: while one is being installed, and while one may be on trial.
  static var busyUpdateSeconds: UInt64 { 1 }
  static var trialUpdateSeconds: UInt64 { 10 }

  /// After the program's start an update may be on trial for this long: the image judges it within 60 s of the
  /// machine's start, and there is one more question after that.
  static var updateTrialSeconds: UInt64 { 70 }

  /// How long `update FILE` waits until the update is accepted or refused: its signature and description are read,
  /// which takes a second or two, at the lowest priority and maybe from a stick.
  static var updateAnswerSeconds: UInt64 { 20 }

  /// The interval between its questions.
  static var updateQuestionMilliseconds: UInt64 { 200 }
}
