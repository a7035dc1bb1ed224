import Capture
import Configuration
import Console
import Port

/// The appliance's one real-time thread: it wakes at absolute instants, lets each service do its bounded work, and never
/// waits for a disk, a codec or a person.
public struct MainLoop<Machine: Hardware & ~Copyable>: ~Copyable {
  /// The board that it drives.
  public var machine: Machine
  var services: Services
  var metrics = LoopMetrics()
  private var metronome: Metronome
  private var phase = LoopPhase.running

  init(machine: consuming Machine, services: consuming Services) {
    self.machine = machine
    metronome = Metronome(
      periodNanoseconds: UInt64(services.context.settings.loop.tickMilliseconds) * 1_000_000,
      startingAtNanoseconds: 0)
    self.services = services
  }

  /// Serves one tick: sleeps until it is due, then does its bounded work.
  /// - Returns: false once the appliance has come to its end.
  public mutating func tick() -> Bool {
    if metrics.tickCount == 0 { metronome.restart(atNanoseconds: machine.clock.monotonicNanoseconds) }
    machine.clock.sleep(untilMonotonicNanoseconds: metronome.nextNanoseconds)
    let now = machine.clock.monotonicNanoseconds
    let latency = now - min(now, metronome.nextNanoseconds)
    metrics.recordWake(latencyNanoseconds: latency, missedTicks: metronome.advance(atNanoseconds: now))
    work(atNanoseconds: now)
    metrics.recordWork(nanoseconds: machine.clock.monotonicNanoseconds - now)
    return phase != .stopped
  }

  /// The order of a tick.
  private mutating func work(atNanoseconds now: UInt64) {
    let isExchange = isDue(everyMilliseconds: Limits.exchangeMilliseconds)
    if isExchange {
      services.recording.exchange(&machine, &services.console, atNanoseconds: now)
      services.playback.step(&machine.speaker, &services.console, atNanoseconds: now)
      services.library.publish(machine.clock)
      services.stepLiveView(atNanoseconds: now)
    }
    if isExchange || services.console.pending?.isSendingPicture == true {
      services.console.exchange(with: &machine.consoleLine)
    }
    services.panel.step(&machine.buttons, &services.console, atNanoseconds: now)
    services.orientation.step(&machine.accelerometer, &services.console, atNanoseconds: now)
    services.recording.follow(services.orientation.current, &services.console, atNanoseconds: now)
    services.serveGestures(&machine, atNanoseconds: now)
    services.framing.step(&services.recording.capture.zoom.motion, &services.console, atNanoseconds: now)
    takeReports(atNanoseconds: now)
    while let effect = services.library.step(&services.console) { services.route(effect, machine, atNanoseconds: now) }
    services.advancePendingCommand(&machine, atNanoseconds: now)
    if services.serveConsole(&machine, metrics, atNanoseconds: now) { stop() }
    services.showLights(&machine.indicators)
    advanceStop(atNanoseconds: now)
  }

  /// What the workers have done since the last tick.
  private mutating func takeReports(atNanoseconds now: UInt64) {
    while let effect = services.recording.step(&machine, &services.console, atNanoseconds: now) {
      services.route(effect, machine, atNanoseconds: now)
    }
    while let effect = services.stills.step(
      &services.recording.capture.video.stills, &services.console, atNanoseconds: now)
    {
      services.route(effect, machine, atNanoseconds: now)
    }
  }

  /// Asks the appliance to end, as `quit` and a signal do: an open take is finished first.
  public mutating func stop() {
    guard phase == .running else { return }
    let deadline = machine.clock.monotonicNanoseconds + Limits.finishingSeconds * 1_000_000_000
    phase = .stopping(deadlineNanoseconds: deadline)
  }

  private mutating func advanceStop(atNanoseconds now: UInt64) {
    guard case .stopping(let deadline) = phase, services.finish(by: deadline, &machine, atNanoseconds: now)
    else { return }
    phase = .stopped
  }

  /// Before the first tick: a person at a terminal is to see first what the camera sees.
  public mutating func showPreview() { services.preview.begin(&services.console) }

  /// Says what went wrong, unasked.
  public mutating func announce(_ failure: DeviceFailure) { services.console.announce(failure) }

  /// After the last tick: tells what the workers have still done, for as long as somebody takes it.
  public mutating func sayGoodbye() {
    services.preview.leave(&services.console)
    takeReports(atNanoseconds: machine.clock.monotonicNanoseconds)
    let end = machine.clock.monotonicNanoseconds + Limits.goodbyeMilliseconds * 1_000_000
    repeat {
      services.console.exchange(with: &machine.consoleLine)
      machine.clock.sleep(untilMonotonicNanoseconds: machine.clock.monotonicNanoseconds + 1_000_000)
    } while !services.console.isDrained && machine.clock.monotonicNanoseconds < end
  }

  /// Whether this tick is one of those on which something is done that need not be done on each.
  private func isDue(everyMilliseconds milliseconds: UInt64) -> Bool {
    metrics.tickCount % max(milliseconds * 1_000_000 / metronome.periodNanoseconds, 1) == 0
  }
}
