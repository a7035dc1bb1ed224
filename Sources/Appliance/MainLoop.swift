import Board
import Capture
import Configuration
import Console
import Controls
import Imaging
import Media
import Rings
import Takes
import Text
import Trace

/// The appliance's one real-time thread: it wakes at absolute instants, takes what has come from every device, steps
/// the state machines, and never waits for a disk, a codec or a person.
public struct MainLoop<Board: Hardware & ~Copyable>: ~Copyable {
  public var board: Board
  let settings: Settings
  let identity: DeviceIdentity
  let version: StaticString
  var capture: CaptureUnit
  var recorder: Recorder
  var panel: ControlPanel
  var console: ConsoleSession
  let progress: TakeProgress
  let encoderCounters: EncoderCounters
  let heap: HeapMeter
  var metrics = LoopMetrics()
  var events = EventLog()
  var take: TakeStatus?
  var diskFreeByteCount: UInt64 = 0
  var phase = LoopPhase.running
  private var metronome: Metronome

  /// Serves one tick: sleeps until it is due, then does its bounded work.
  /// - Returns: false once the appliance has come to its end.
  public mutating func tick() -> Bool {
    board.clock.sleep(untilMonotonicNanoseconds: metronome.nextNanoseconds)
    let now = board.clock.monotonicNanoseconds
    let latency = now - min(now, metronome.nextNanoseconds)
    metrics.recordWake(latencyNanoseconds: latency, missedTicks: metronome.advance(atNanoseconds: now))
    work(atNanoseconds: now)
    metrics.recordWork(nanoseconds: board.clock.monotonicNanoseconds - now)
    if case .stopped = phase { return false }
    return true
  }

  /// Asks the appliance to end, as `quit` and a signal do: an open take is finished first.
  public mutating func stop() {
    guard case .running = phase else { return }
    let deadline = board.clock.monotonicNanoseconds + Limits.finishingSeconds * 1_000_000_000
    phase = .stopping(deadlineNanoseconds: deadline)
  }

  private mutating func work(atNanoseconds now: UInt64) {
    if let failure = capture.step(&board, atNanoseconds: now, into: &events) { tell(failure) }
    if let failure = panel.poll(&board, atNanoseconds: now) { tell(failure) }
    if let gesture = panel.gesture(of: .record, atNanoseconds: now) { serve(gesture) }
    serveReports()
    serveConsole(atNanoseconds: now)
    showIndicators()
    finishStopping(atNanoseconds: now)
  }

  private mutating func serve(_ gesture: Gesture) {
    // A long press belongs to the still picture; the take is begun and ended by the short one.
    if case .short(let pressedAt) = gesture { pressRecord(atNanoseconds: pressedAt) }
  }

  private mutating func showIndicators() {
  }

  private mutating func finishStopping(atNanoseconds now: UInt64) {
    guard case .stopping(let deadline) = phase else { return }
    switch recorder.state {
    case .recording: pressRecord(atNanoseconds: now)
    case .finishing where now < deadline: break
    default: phase = .stopped
    }
  }
}
