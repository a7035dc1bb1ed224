import Base
import Configuration
import Console
import Machine
import Record

/// The appliance's one real-time thread: it sleeps until something is due or happens, lets each service do a bounded
/// amount of work, and never waits for a disk, a codec or a person.
package struct MainLoop: ~Copyable {
  private let place = StaysInPlace()
  /// The machine with its devices.
  package var machine: Hardware
  var services: Services
  var metrics = LoopMetrics()
  private var rhythm: Metronome
  private var pace = LoopPace.everyTick
  private var phase = LoopPhase.running
  /// When the devices, the speaker, and the keys, were last served.
  private var lastExchange: Instant = 0
  private var lastFeed: Instant = 0
  private var lastKeys: Instant = 0
  /// On a virtual clock: whether a worker has done something since the last wake.
  private var isWoken = false
  private var sources = WakeSources()
  /// Whether a take was open or incomplete when the appliance was asked to stop.
  private var hadOpenTake = false

  init(machine: consuming Hardware, services: consuming Services) {
    self.machine = machine
    rhythm = Metronome(
      periodNanoseconds: UInt64(services.context.settings.loop.tickMilliseconds) * 1_000_000,
      startingAt: 0)
    self.services = services
  }

  /// On a virtual clock: runs one tick, and its bounded work if any is due or something has happened.
  /// - Parameter idleNanoseconds: so far an idle loop to which nothing has happened may jump, instead of to the next
  ///   tick: workers then begin up to so much later what they do by themselves.
  /// - Returns: false once the appliance has ended.
  @export(interface)
  package mutating func tick(jumpingOver idleNanoseconds: UInt64) -> Bool {
    begin()
    let start = machine.clock.now
    let mayJump = pace == .idle && !hasNews(at: start)
    machine.clock.sleep(until: min(rhythm.next, rhythm.nextTick(after: mayJump ? start + idleNanoseconds : start)))
    let now = machine.clock.now
    metrics.tickCount = rhythm.tickCount(at: now)
    let hasNews = hasNews(at: now)
    guard now >= rhythm.next || hasNews else { return true }
    isWoken = false
    return wake(at: now, hasNews)
  }

  /// In real time: sleeps until work is due or something happens, then does a bounded amount of it.
  /// - Parameter signal: wakes the loop when a worker has done something.
  /// - Returns: false once the appliance has ended.
  @export(interface)
  package mutating func tick(waitingFor signal: LoopSignal) -> Bool {
    begin()
    let hasNews = machine.sleep(until: rhythm.next, or: pace == .everyTick ? nil : signal, &sources)
    let now = machine.clock.now
    metrics.tickCount = rhythm.tickCount(at: now)
    return wake(at: now, hasNews || now < rhythm.next)
  }

  private mutating func begin() {
    guard metrics.wakeCount == 0 else { return }
    rhythm.restart(at: machine.clock.now)
    _ = metrics.noteSleep(machine.clock.suspendedNanoseconds)
  }

  /// - Parameter hasNews: whether anything but the time has woken it.
  private mutating func wake(at now: Instant, _ hasNews: Bool) -> Bool {
    let missed = rhythm.missedTicks(at: now)
    if missed == 0 || !metrics.noteSleep(machine.clock.suspendedNanoseconds) {
      metrics.recordWake(lateNanoseconds: rhythm.lateNanoseconds(at: now), missedTicks: missed)
    }
    let isAll = feed(at: now) && !hasNews
    if !isAll { work(at: now) }
    plan(at: now)
    metrics.recordWork(nanoseconds: machine.clock.now - now)
    if services.timing.takesReset() { metrics.resetTimes() }
    return phase != .stopped
  }

  /// On a virtual clock: called when a worker has done something.
  mutating func wakeUp() { isWoken = true }

  /// Whether anything has happened that would wake the loop in real time.
  private func hasNews(at now: Instant) -> Bool {
    isWoken || services.panel.seesChange(of: machine.buttons, at: now)
      || services.console.wantsInput && machine.consoleLine.hasInput
  }

  /// Decides how long there is nothing to do.
  private mutating func plan(at now: Instant) {
    pace = phase == .running ? services.pace(machine, at: now) : .everyTick
    guard pace != .everyTick else { return rhythm.plan(now, after: now) }
    let isHearing = services.console.isHearing
    var next = min(min(lastExchange + exchangeNanoseconds, nextFeed), services.nextInstant)
    if isHearing, services.console.isTerminal { next = min(next, lastKeys + keyNanoseconds) }
    rhythm.plan(next, after: now)
    sources.removeAll()
    if !machine.buttons.isLent { machine.buttons.device.add(to: &sources) }
    if !isHearing, services.console.wantsInput { machine.consoleLine.add(to: &sources) }
  }

  private var keyNanoseconds: UInt64 { Limits.keyMilliseconds * 1_000_000 }

  /// The interval between exchanges with the devices.
  private var exchangeNanoseconds: UInt64 {
    let shortest = Limits.exchangeMilliseconds * 1_000_000
    switch pace {
    case .everyTick, .everyExchange: return shortest
    case .everyFeed, .atRest: break
    case .idle: return Limits.idleMilliseconds * 1_000_000
    }
    guard !machine.microphone.isLent else { return shortest }
    let buffer = machine.microphone.device.bufferNanoseconds
    let rate = UInt64(services.recording.capture.timelineRateHz)
    let longest = min(Limits.restMilliseconds * 1_000_000, UInt64(Limits.audioFramesPerTick) * 500_000_000 / rate)
    return max(shortest, min(longest, buffer == 0 ? .max : buffer / 4))
  }

  /// When the speaker is next served before an exchange; the far future if it is not.
  private var nextFeed: Instant {
    guard case .everyFeed(let nanoseconds) = pace else { return .max }
    return lastFeed + max(nanoseconds, Limits.exchangeMilliseconds * 1_000_000)
  }

  /// Between two exchanges, serves the speaker alone, once that is due: all else can wait for the next one.
  /// - Returns: whether there is nothing else to do now, unless something has happened.
  private mutating func feed(at now: Instant) -> Bool {
    guard case .everyFeed = pace, now < min(lastExchange + exchangeNanoseconds, services.nextInstant) else {
      return false
    }
    if now >= nextFeed { feedSpeaker(at: now) }
    return services.console.isDrained
  }

  private mutating func feedSpeaker(at now: Instant) {
    services.console.now = now
    lastFeed = now
    services.playback.step(
      &machine.speaker, microphone: services.recording.capture.audioFormat, &services.console, at: now)
  }

  /// Does the work of a tick, in order.
  private mutating func work(at now: Instant) {
    services.console.now = now
    let isExchange = now >= lastExchange + exchangeNanoseconds
    if phase == .running { services.stepSchedule(&machine, at: now) }
    if isExchange {
      lastExchange = now
      services.stepClock(machine)
      services.stepHeat(machine.thermometer, at: now)
      services.stepBattery(&machine, at: now)
      services.stepPosition(machine, at: now)
      services.recording.exchange(&machine, &services.console, at: now)
      services.stepLapse(at: now)
      services.stepGain()
      services.power.step(&services.inquiries.system, &services.console)
      services.stepSummary(machine.clock, at: now)
      services.stepSleep(machine, at: now)
      services.updates.step(&services.inquiries.system, &services.console)
      feedSpeaker(at: now)
      services.library.publish(machine.clock)
      services.stepRetention(machine)
      services.stepLiveView(machine.clock, at: now)
      services.followHealth(metrics, at: now)
    }
    if phase == .running { services.stepTrigger(&machine, at: now) }
    if phase == .running { services.stepTimecode(&machine, at: now) }
    let isConsoleDue =
      isExchange || !services.console.isHearing || services.console.isTerminal && now >= lastKeys + keyNanoseconds
    if isConsoleDue || services.console.pending?.isSendingPicture == true {
      lastKeys = now
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
    if isConsoleDue { services.console.answer(on: &machine.consoleLine) }
    services.stepConfiguration(isLineThere: machine.consoleLine.isThere, at: now)
    services.commandLines.step(services.console, isTakeOpen: services.recording.hasOpenTake, at: now)
    services.recording.sheet.step(&services.console)
    services.deployment.step(&services.console)
    services.recording.deployment = services.deployment.present
    services.keptEvents.step(services.console, services.clock, at: now)
    services.showLEDs(&machine.leds)
    advanceStop(at: now)
  }

  /// Handles what the workers have done since the last tick.
  private mutating func takeReports(at now: Instant) {
    while let effect = services.recording.step(&machine, &services.console, at: now) {
      services.route(effect, machine, at: now)
    }
    if let effect = services.applications.tick(services.recording.capture.audioFormat, &services.console) {
      services.route(effect, machine, at: now)
    }
    services.discovery.step(&services.console)
    services.retention.tick(&services.console)
    services.clock.tick(machine.clock, &services.console)
    services.takeInquiries()
    services.levels.tick(services.recording.capture, &services.console)
    while let effect = services.stills.step(
      &services.recording.capture.video.stills, &services.console, at: now)
    {
      services.route(effect, machine, at: now)
    }
  }

  /// Asks the appliance to stop, as `quit` and a signal do: an open take is finished first.
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

  /// After ``sayGoodbye()``: names the last take if it should have been finished and was not; nil if all is well.
  package var unfinishedTake: DeviceFailure? {
    guard hadOpenTake, services.recording.hasOpenTake || services.recording.recorder.state == .failed else {
      return nil
    }
    let path = services.recording.take?.path ?? ""
    return DeviceFailure(
      device: .storage, kind: .failed, subject: path.isEmpty ? "take" : FixedText(path.bytes.extracting(last: 64)),
      problem: "is not finished", remedy: "the next start on this card completes what is there")
  }

  /// After ``sayGoodbye()``: what the program failed at; nil if all is well.
  package var failure: DeviceFailure? { unfinishedTake ?? refusedLine }

  /// The script's line whose error ended it.
  private var refusedLine: DeviceFailure? {
    services.console.refusedLine.map {
      DeviceFailure(
        device: .console, kind: .failed, subject: "script line \($0)", problem: "was refused",
        remedy: "its error is in the output; the lines after it were not run")
    }
  }

  /// Before the first tick: shows the preview with which a terminal starts.
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
}

enum LoopPhase: Equatable {
  case running
  /// The appliance was asked to stop: an open take is being finished, until the deadline at the latest.
  case stopping(deadline: Instant)
  case stopped
}

/// How soon the loop looks again if nothing wakes it.
enum LoopPace: Equatable {
  /// At each tick: a button is down, a glide is in progress, or a command waits.
  case everyTick
  /// At each exchange: somebody watches or listens to the devices.
  case everyExchange
  /// As seldom as the buffers of speaker and microphone allow.
  case everyFeed(nanoseconds: UInt64)
  /// As seldom as the microphone's buffer allows.
  case atRest
  /// Microphone and camera are closed: only clocks and sensors are looked at.
  case idle
}

/// The absolute instants at which the loop wakes by itself. All are whole ticks after the first, so that a late wake
/// does not delay later ones.
struct Metronome {
  let periodNanoseconds: UInt64
  private var start: Instant
  private(set) var next: Instant

  init(periodNanoseconds: UInt64, startingAt now: Instant) {
    self.periodNanoseconds = periodNanoseconds
    start = now
    next = now + periodNanoseconds
  }

  /// Starts again after boot, so that its duration does not count as lateness.
  mutating func restart(at now: Instant) { self = Metronome(periodNanoseconds: periodNanoseconds, startingAt: now) }

  /// The first tick after an instant.
  func nextTick(after now: Instant) -> Instant {
    start + (now.distance(since: start) / periodNanoseconds + 1) * periodNanoseconds
  }

  /// How many ticks have passed, whether the loop woke at them or not.
  func tickCount(at now: Instant) -> UInt64 { now.distance(since: start) / periodNanoseconds }

  /// Plans the next wake at the first tick that is at `wanted` or later, and after `now`.
  mutating func plan(_ wanted: Instant, after now: Instant) {
    next = nextTick(after: max(wanted.earlier(by: 1), now))
  }

  /// How much later than planned `now` is; nil if something else woke the loop earlier.
  func lateNanoseconds(at now: Instant) -> UInt64? { now >= next ? now - next : nil }

  /// How many ticks have passed since the one for which the wake was planned.
  func missedTicks(at now: Instant) -> UInt64 { now >= next ? (now - next) / periodNanoseconds : 0 }
}

/// The limits of the loop and its services. Each is declared, with its arithmetic, in the file of what it limits.
package enum Limits {
  /// Sound, pictures and the console's bytes are read at this interval while somebody watches or listens. The card and
  /// the camera timestamp their data, so timing stays exact, and most of a tick's system calls are saved. In one
  /// interval a 120 Hz camera fills 3 of its 6 buffers, and a console at 115,200 baud 230 of the driver's 4,096 bytes.
  package static var exchangeMilliseconds: UInt64 { 20 }

  /// At rest sound is read at this interval, or four times per card buffer if that is shorter, or so often that half of
  /// ``audioFramesPerTick`` waits: a wake that is late by as much catches up at once.
  static var restMilliseconds: UInt64 { 100 }

  /// While microphone and camera are closed, temperature, battery and clock are looked at in this interval: with the
  /// answers of the sensors that is less than a wake a second. The system's watchdog must be fed each 10 s.
  static var idleMilliseconds: UInt64 { 4000 }

  /// The interval at which keys are read if there is a terminal. With the time that a serial line takes to send the
  /// echo, it is on the screen within 20 ms, which nobody notices.
  static var keyMilliseconds: UInt64 { 10 }

  /// How long a stopping appliance waits for the storage worker to complete the last take: 10 s for a stalled card, and
  /// the tables of a day-long take.
  package static var finishingSeconds: UInt64 { 120 }

  /// How long the remaining output is offered to the console at the end: 32 KiB take 2.9 s at 115,200 baud.
  package static var goodbyeMilliseconds: UInt64 { 3000 }
}
