import Base
import Catalog
import Configuration
import Console
import Machine
import Media
import Playback
import Record

extension Services {
  /// Reads and runs the console's requests.
  /// - Returns: whether the appliance is to stop.
  mutating func serveConsole(
    _ machine: inout Hardware, _ metrics: borrowing LoopMetrics, at now: Instant
  ) -> Bool {
    while let request = console.nextRequest() {
      switch request {
      case .command(.quit):
        if mayQuit(at: now) { console.pending = .quit } else { askWhetherToQuit(of: nil) }
      case .command(let command):
        let effect = run(command, &machine, metrics, at: now)
        route(effect, machine, at: now)
      // Returned again at each call, unless it came from ctrl-D.
      case .endOfInput:
        if mayQuit(at: now) { return true }
        askWhetherToQuit(of: "quit")
      }
    }
    if case .quit = console.pending { return true }
    return false
  }

  /// At a terminal a typing slip must not end a take: the first `quit` only asks. In a script it takes effect at once.
  private mutating func mayQuit(at now: Instant) -> Bool {
    guard console.isTerminal, recording.isTakeOpen, !console.isOpen(questionUntil: quitAgainEnd)
    else { return true }
    quitAgainEnd = now + Limits.quitAgainSeconds * 1_000_000_000
    return false
  }

  /// - Parameter line: the command that is asked about; nil for the one that was typed, which may be `exit`.
  private mutating func askWhetherToQuit(of line: FixedText<512>?) {
    console.ask("finish the take that is being recorded, and end", for: Limits.quitAgainSeconds, of: line)
  }

  /// Runs a command. It is answered now, or once what it waits for has happened: ``ConsoleSession/pending``.
  private mutating func run(
    _ command: Command, _ machine: inout Hardware, _ metrics: borrowing LoopMetrics, at now: Instant
  ) -> Effect? {
    switch command {
    case .status(let form): status(machine, metrics, at: now).report(form, &console)
    case .audio(.show(let form)): levels.show(form, recording.capture.audioFormat, &console)
    case .timing(let order): run(order, metrics)
    case .listing(let listing, let form): list(listing, form)
    case .video(let order): ask(.video(order))
    case .gain(let order): ask(.gain(order))
    case .why(let form): diagnosis(machine.clock, at: now).report(form, &console)
    case .top: top.run(on: machine.consoleLine.terminalSize, &console, at: now)
    case .watch(let line, let seconds):
      watch.run(line, seconds: seconds, on: machine.consoleLine.terminalSize, &console, at: now)
    case .audio(.reset): levels.reset(&recording.capture, &console)
    case .press(let button, let milliseconds):
      panel.press(button, milliseconds: milliseconds, on: &machine, &console, at: now)
    case .wait(let nanoseconds): console.pending = .wait(end: now + nanoseconds)
    case .tilt(let position): panel.tilt(to: position, on: &machine, &console)
    case .battery(let volts): setBattery(volts: volts, on: machine)
    case .record(let action): recording.run(action, &machine, &console, at: now)
    case .mark(let text): recording.mark(text, for: .console, &console, at: now)
    case .slate(let text): slate(text, at: now)
    case .sheet(let command): recording.run(command, for: .console, &console, at: now)
    case .remark(let command): run(command, for: .console, at: now)
    case .report(let form, let day):
      retention.report(form, day: day ?? CivilTime.dayNumber(unixSeconds: machine.clock.unixSeconds), &console)
    case .player(let command): return playback.run(command, microphone: recording.capture.audioFormat, &console)
    case .library(let command): run(command)
    case .retention(let command): return run(command, machine)
    case .calculator, .guitar, .practice, .tuner:
      return applications.run(command, surroundings(machine.clock), &console)
    case .clock(let command): run(command, machine, at: now)
    case .schedule(let command): schedule.run(command, ClockReading(machine.clock), &console)
    case .sleep(let command): sleep.run(command, &console)
    case .trigger(let command): run(command, at: now)
    case .timecode(let command):
      timecode.run(command, timecodeMoment(at: now), refusal: playback.sendingRefusal, &console)
    case .deploy(let command): run(command, machine.clock)
    case .zoom(let order): framing.run(order, &recording.capture.zoom.motion, &console, at: now)
    case .rotate(let rotation): return orientation.run(rotation, canKeep: recording.takesOrders, &console)
    case .viewfinder(let order): framing.run(order, orientation.current, &console, at: now)
    case .snapshot(let framing): takeStill(framing, for: .console, machine.clock)
    case .preview(let order): preview.run(order, previewView(machine), &console, at: now)
    case .selfTest(let order): runSelfTest(order, at: now)
    case .identity(let order): run(order, machine.clock)
    case .update(let command): run(command)
    case .events(let range, let form): console.showEvents(range, form)
    case .log(let filter): chooseEvents(filter)
    case .listeners(let form): liveView.tellListeners(form, &console)
    case .discover(let seconds, let form): discovery.run(seconds: seconds, form, &console)
    case .earlierEvents: tellEarlierEvents()
    case .config(let order): run(order, at: now)
    case .version: console.answer("\(context.software)")
    // The session answers `help`, and the loop answers `quit`.
    case .help, .quit: break
    }
    return nil
  }

  private mutating func run(_ command: RetentionCommand, _ machine: borrowing Hardware) -> Effect? {
    switch command {
    case .wipe where recording.hasOpenTake: console.refuse("a take is being recorded: stop it first")
    default:
      // A take that the line before began counts.
      stepRetention(machine)
      retention.run(command, openPath: playback.player.status.item?.path, machine.clock, &console)
      if retention.isForgetting { forgetEntries() }
      guard case .list(_, false, _) = command else { return nil }
      // From now on a number refers to a take.
      playback.hasListedQueue = false
      return .tellLibrary(.unlist)
    }
    return nil
  }

  private mutating func run(
    _ command: ClockCommand, _ machine: borrowing Hardware, at now: Instant
  ) {
    switch command {
    case .show(let form): clock.report(form, ClockReading(machine.clock), &console)
    case .set(let localSeconds):
      clock.set(localSeconds: localSeconds, ClockReading(machine.clock), &console)
    case .hangulDisplay where !liveView.isWanted: console.refuse("there is no display: set [view] device")
    case .hangul, .hangulLine, .hangulDisplay:
      var surroundings = surroundings(machine.clock)
      if command == .hangul { surroundings.terminalRows = Int(machine.consoleLine.terminalSize.rows) }
      _ = applications.run(.clock(command), surroundings, &console)
    }
  }

  /// At each tick: continues the pending command.
  mutating func advancePendingCommand(
    _ machine: inout Hardware, _ metrics: borrowing LoopMetrics, at now: Instant
  ) {
    advanceSelfTest(&machine, at: now)
    switch console.pending {
    case .top: advanceTop(machine, metrics, at: now)
    case .watch: watch.step(on: machine.consoleLine.terminalSize, &console, at: now)
    case .timing(let kind, let bucket): tellTimes(from: bucket, of: kind, metrics)
    case .wait(let end): if now >= end || console.takeInterrupt() { console.complete() }
    case .press(let button, let milliseconds):
      panel.press(button, milliseconds: milliseconds, on: &machine, &console, at: now)
    case .record(_, let end): if now >= end { console.complete() }
    case .still(let number, let start):
      stills.checkWait(
        for: number, since: start, &recording.capture.video.stills, &console, at: now)
    case .preview(let phase): preview.step(phase, previewView(machine), &console, at: now)
    case .slate(let text, let end): advanceSlate(text, by: end, at: now)
    case .identity: identity.checkInterrupt(&console)
    case .queue(let index, let form): playback.showQueue(from: index, form, &console)
    case .queueModes: playback.answerKeeping(&console)
    case .settings: configuration.advance(&console)
    case .schedule(let reply): schedule.advance(reply, forecastFacts, &console)
    case .deploy(let task): advance(task, machine.clock, at: now)
    case .configuration: configuration.answerSaving(&console)
    case .events(let next, let end, let form): console.showEvents(from: next, to: end, form)
    case .earlierEvents(let rest): tellEarlierEvents(rest: rest)
    case .followedEvents(let next): console.followEvents(from: next)
    case .guitar, .hangul:
      route(applications.advance(surroundings(machine.clock), &console), machine, at: now)
    // Jobs and the player answer after their step, and the end of the program answers `quit`.
    case nil, .running, .job, .player, .trigger, .quit: break
    }
  }

  /// Runs `log`.
  private mutating func chooseEvents(_ filter: EventFilter?) {
    if let filter { console.eventFilter = filter }
    console.answer("printed as they happen: \(console.eventFilter.name)")
  }

  private mutating func run(_ command: LibraryCommand) {
    let open = playback.player.status
    switch command {
    case .list, .find:
      playback.hasListedQueue = false
      library.run(command, &console)
    case .lyrics(let path), .artwork(let path):
      guard let path = path ?? open.item?.path else { return console.refuse(PlayerRefusal.nothingOpen.line) }
      if case .artwork = command { return library.askArtwork(of: path, &console) }
      let isOpen = open.item?.path == path
      library.askLyrics(of: path, positionSeconds: isOpen ? open.positionSeconds : .nan, &console)
    default: library.run(command, &console)
    }
  }

  func previewView(_ machine: borrowing Hardware) -> PreviewView {
    PreviewView(
      camera: recording.capture.hasRestingCamera ? .running : recording.capture.camera,
      isResting: recording.capture.hasRestingCamera, orientation: orientation.current,
      terminal: machine.consoleLine.terminalSize, isTooHot: heat.report.level > .cool)
  }

  func status(
    _ machine: borrowing Hardware, _ metrics: borrowing LoopMetrics, at now: Instant
  ) -> StatusReport {
    var status = StatusReport(
      state: recording.recorder.state, orientation: orientation.current, identity: context.identity,
      zoomFactor: recording.capture.zoom.motion.factor(at: now), loop: metrics.summary,
      heapAllocationCount: context.heapAllocationCount(), clockSource: machine.clock.source,
      clockLine: clock.line(ClockReading(machine.clock)), datesLine: clock.datesLine(ClockReading(machine.clock)),
      player: playback.player.status, heat: heat.report,
      battery: battery.report, position: position, power: power,
      diagnosis: diagnosis(machine.clock, at: now),
      trigger: trigger.stateName(mayBegin: trigger.mayBegin(schedule.wish), at: now),
      timecode: timecode.text(timecodeMoment(at: now)),
      sleep: sleep.stateName, deployment: deployment.isOn ? deployment.name : "")
    recording.describe(in: &status, at: now)
    return status
  }
}

extension Services {
  /// At each tick: requests completions of what is being typed, if the console cannot complete it itself.
  mutating func completeWhatIsTyped() {
    guard console.wantsCompletion, let question = console.takeCompletionQuestion() else { return }
    switch question.wanted {
    case .file: library.complete(question, .files, &console)
    // The library knows numbers and paths; the keeper knows the names that people give to takes.
    case .take where question.typed.beginsNumberOrPath: library.complete(question, .takes, &console)
    case .take: retention.complete(question, &console)
    case .takeNumber: library.complete(question, .takeNumbers, &console)
    case .deletedTake: retention.complete(question, &console)
    case .setting(let before):
      console.complete(question, with: ConfigurationService.words(beginningWith: question.typed, after: before))
    }
  }
}

extension FixedText<256> {
  /// Whether a take's number or path can begin like this.
  fileprivate var beginsNumberOrPath: Bool {
    isEmpty || bytes.parseInteger(as: UInt32.self) != nil || bytes.contains(("/" as StaticString).utf8Bytes)
  }
}

extension Limits {
  /// A repeated `quit` at a terminal ends a take within this time: long enough to read one line and type four letters,
  /// and too short for an unrelated later `quit`.
  static var quitAgainSeconds: UInt64 { 10 }
}
