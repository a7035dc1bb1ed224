import Base
import Configuration
import Console
import Machine
import Record

/// The appliance's one real-time thread: it wakes at absolute instants, lets each service do a bounded amount of work,
/// and never waits for a disk, a codec or a person.
package struct MainLoop: ~Copyable {
  private let place = StaysInPlace()
  /// The board.
  package var machine: Hardware
  var services: Services
  var metrics = LoopMetrics()
  private var metronome: Metronome
  private var phase = LoopPhase.running
  /// Whether a take was open, or not complete yet, when the appliance was asked to stop.
  private var hadOpenTake = false

  init(machine: consuming Hardware, services: consuming Services) {
    self.machine = machine
    metronome = Metronome(
      periodNanoseconds: UInt64(services.context.settings.loop.tickMilliseconds) * 1_000_000,
      startingAt: 0)
    self.services = services
  }

  /// Runs one tick: sleeps until it is due, then does its bounded work.
  /// - Returns: false once the appliance has ended.
  @export(interface)
  package mutating func tick() -> Bool {
    if metrics.tickCount == 0 { metronome.restart(at: machine.clock.now) }
    machine.clock.sleep(until: metronome.next)
    let now = machine.clock.now
    let latency = now.distance(since: metronome.next)
    metrics.recordWake(latencyNanoseconds: latency, missedTicks: metronome.advance(at: now))
    work(at: now)
    metrics.recordWork(nanoseconds: machine.clock.now - now)
    if services.timing.takesReset() { metrics.resetTimes() }
    return phase != .stopped
  }

  /// The order of work within a tick.
  private mutating func work(at now: Instant) {
    services.console.now = now
    let isExchange = isDue(everyMilliseconds: Limits.exchangeMilliseconds)
    if isExchange {
      services.stepClock(machine)
      services.stepHeat(machine.thermometer, at: now)
      services.recording.exchange(&machine, &services.console, at: now)
      services.stepGain(machine.inspector)
      services.playback.step(
        &machine.speaker, microphone: services.recording.capture.audioFormat, &services.console, at: now)
      services.library.publish(machine.clock)
      services.stepRetention(machine)
      services.stepLiveView(machine.clock, at: now)
      services.followHealth(metrics, at: now)
    }
    let isKeyDue = services.console.isTerminal && isDue(everyMilliseconds: Limits.keyMilliseconds)
    if isExchange || isKeyDue || services.console.pending?.isSendingPicture == true {
      services.console.exchange(with: &machine.consoleLine)
    }
    services.panel.step(&machine.buttons, &services.console, at: now)
    services.orientation.step(&machine.accelerometer, &services.console, at: now)
    services.recording.follow(services.orientation.current, &services.console, at: now)
    services.serveGestures(&machine, at: now)
    services.framing.step(&services.recording.capture.zoom.motion, &services.console, at: now)
    takeReports(at: now)
    while let effect = services.library.step(&services.console) { services.route(effect, machine, at: now) }
    services.advancePendingCommand(&machine, metrics, at: now)
    if services.serveConsole(&machine, metrics, at: now) { stop() }
    services.completeWhatIsTyped()
    if isExchange || isKeyDue { services.console.answer(on: &machine.consoleLine) }
    services.stepConfiguration(isLineThere: machine.consoleLine.isThere, at: now)
    services.commandLines.step(services.console, isTakeOpen: services.recording.hasOpenTake, at: now)
    services.keptEvents.step(services.console, services.clock, at: now)
    services.showLEDs(&machine.leds)
    advanceStop(at: now)
  }

  /// Handles what the workers have done since the last tick.
  private mutating func takeReports(at now: Instant) {
    while let effect = services.recording.step(&machine, &services.console, at: now) {
      services.route(effect, machine, at: now)
    }
    services.route(
      services.applications.tick(services.recording.capture.audioFormat, &services.console), machine, at: now)
    services.discovery.step(&services.console)
    while let effect = services.stills.step(
      &services.recording.capture.video.stills, &services.console, at: now)
    {
      services.route(effect, machine, at: now)
    }
  }

  /// Asks the appliance to stop, like `quit` and a signal: an open take is finished first.
  @export(interface)
  package mutating func stop() {
    guard phase == .running else { return }
    let deadline = machine.clock.now + Limits.finishingSeconds * 1_000_000_000
    phase = .stopping(deadline: deadline)
    hadOpenTake = services.recording.hasOpenTake
  }

  private mutating func advanceStop(at now: Instant) {
    guard case .stopping(let deadline) = phase, services.finish(by: deadline, &machine, at: now)
    else { return }
    phase = .stopped
  }

  /// After ``sayGoodbye()``: names the last take if it was to be finished and is not; nil if all is well.
  package var unfinishedTake: DeviceFailure? {
    guard hadOpenTake, services.recording.hasOpenTake || services.recording.recorder.state == .failed else {
      return nil
    }
    let path = services.recording.take?.path ?? ""
    return DeviceFailure(
      device: .storage, kind: .failed, subject: path.isEmpty ? "take" : FixedText(path.bytes.extracting(last: 64)),
      problem: "is not finished", remedy: "the next start on this card completes what is there")
  }

  /// After ``sayGoodbye()``: what the program has failed at; nil if all is well.
  package var failure: DeviceFailure? { unfinishedTake ?? refusedLine }

  /// The line at whose error a script has ended.
  private var refusedLine: DeviceFailure? {
    services.console.refusedLine.map {
      DeviceFailure(
        device: .console, kind: .failed, subject: "script line \($0)", problem: "was refused",
        remedy: "its error is in the output; the lines after it were not run")
    }
  }

  /// Before the first tick: a terminal shows a preview first.
  @export(interface)
  package mutating func showPreview() { services.preview.begin(&services.console) }

  /// Prints a failure as an event.
  @export(interface)
  package mutating func announce(_ failure: DeviceFailure) { services.console.announce(failure) }

  /// After the last tick: prints the workers' last results, for as long as the console accepts them.
  @export(interface)
  package mutating func sayGoodbye() {
    services.preview.leave(&services.console)
    services.applications.leave(&services.console)
    services.top.leave(&services.console)
    services.watch.leave(&services.console)
    takeReports(at: machine.clock.now)
    let end = machine.clock.now + Limits.goodbyeMilliseconds * 1_000_000
    repeat {
      services.console.exchange(with: &machine.consoleLine)
      machine.clock.sleep(until: machine.clock.now + 1_000_000)
    } while !services.console.isDrained && machine.clock.now < end
    machine.closeDevices()
  }

  /// Whether work that is not done on every tick is due on this one.
  private func isDue(everyMilliseconds milliseconds: UInt64) -> Bool {
    metrics.tickCount % max(milliseconds * 1_000_000 / metronome.periodNanoseconds, 1) == 0
  }
}

enum LoopPhase: Equatable {
  case running
  /// Asked to stop: an open take is being finished, until the deadline at the latest.
  case stopping(deadline: Instant)
  case stopped
}

/// The absolute instants at which the loop wakes: a late tick does not delay the later ones.
struct Metronome {
  let periodNanoseconds: UInt64
  private(set) var next: Instant
  init(periodNanoseconds: UInt64, startingAt now: Instant) {
    self.periodNanoseconds = periodNanoseconds
    next = now + periodNanoseconds
  }

  /// Starts again after boot, whose duration does not count as lateness.
  mutating func restart(at now: Instant) {
    next = now + periodNanoseconds
  }

  /// Advances to the first tick in the future.
  /// - Returns: how many ticks were missed.
  mutating func advance(at now: Instant) -> UInt64 {
    next += periodNanoseconds
    guard now >= next else { return 0 }
    let missed = (now - next) / periodNanoseconds + 1
    next += missed * periodNanoseconds
    return missed
  }
}

/// How well the loop keeps time.
package struct LoopMetrics: ~Copyable, Sendable {
  private let place = StaysInPlace()
  /// Ticks that were run.
  package private(set) var tickCount: UInt64 = 0
  /// Ticks that were missed.
  package private(set) var missedCount: UInt64 = 0
  /// From the requested wake-up to the actual one.
  package private(set) var wakeLatency = Histogram()
  /// From waking to sleeping.
  package private(set) var work = Histogram()

  package init() {}

  mutating func recordWake(latencyNanoseconds: UInt64, missedTicks: UInt64) {
    tickCount += 1
    missedCount += missedTicks
    wakeLatency.record(microseconds: latencyNanoseconds / 1000)
  }

  mutating func recordWork(nanoseconds: UInt64) {
    work.record(microseconds: nanoseconds / 1000)
  }

  /// Forgets how long things took; the ticks go on being counted.
  mutating func resetTimes() {
    wakeLatency = Histogram()
    work = Histogram()
  }

  /// What `status json` tells of them.
  var summary: LoopSummary {
    LoopSummary(
      tickCount: tickCount, missedCount: missedCount,
      wakeMicroseconds: [
        wakeLatency.percentile(permille: 500), wakeLatency.percentile(permille: 990),
        wakeLatency.percentile(permille: 999),
      ],
      workMicroseconds: work.percentile(permille: 999))
  }
}

/// ``LoopMetrics`` in a few numbers.
struct LoopSummary {
  let tickCount: UInt64
  let missedCount: UInt64
  /// The 50th, 99th and 99.9th percentile of the wake latency.
  let wakeMicroseconds: InlineArray<3, UInt64>
  /// The 99.9th percentile of the time from waking to sleeping.
  let workMicroseconds: UInt64
}

/// The bounds of the loop and its services. Each stands, with its arithmetic, in the file of what it limits.
package enum Limits {
  /// Sound, pictures and the console's bytes are read at this interval and not on each tick. The card and the camera
  /// timestamp their data, so timing stays exact, and most of a tick's system calls are saved. Meanwhile a 120 Hz
  /// camera fills 3 of its 6 buffers, and a console at 115,200 baud 230 of the driver's 4,096 bytes.
  package static var exchangeMilliseconds: UInt64 { 20 }

  /// A person's keys are looked for at this interval, where there is a terminal: with what a serial line takes to send
  /// the echo, it is on the screen within 20 ms, which nobody sees.
  static var keyMilliseconds: UInt64 { 10 }

  /// When it stops, the appliance waits this long for the storage worker to complete the last take: 10 s for a stalled
  /// card, and the tables of a day-long take.
  package static var finishingSeconds: UInt64 { 120 }

  /// At the end the remaining output is offered to the console for this long: 32 KiB take 2.9 s at 115,200 baud.
  package static var goodbyeMilliseconds: UInt64 { 3000 }
}
