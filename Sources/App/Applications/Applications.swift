import Base
import Configuration
import Console
import Kit
import Machine
import Playback
import Record
import Wire

/// The buttons that a small application may take from the recorder while it is used. `record` and the power's line are
/// never among them: whatever goes on, a press of `record` records.
enum ApplicationButton {
  case prepare, play, stop, zoom, rotate

  /// - Returns: nil for a button that no application sees.
  init?(_ button: Button) {
    switch button {
    case .prepare: self = .prepare
    case .play: self = .play
    case .stop: self = .stop
    case .zoom: self = .zoom
    case .rotate: self = .rotate
    case .record, .power: return nil
    }
  }
}

/// What the small applications see of the recorder.
struct ApplicationSurroundings {
  /// In which the microphone delivers; nil while it is closed.
  let microphone: AudioFormat?
  /// Why the speaker is not free.
  let speakerRefusal: PlayerRefusal?
  let unixNanoseconds: Int64
  /// 0 where nobody asks: looking costs a call of the system.
  var terminalRows = 0

  var unixSeconds: Int64 { unixNanoseconds / 1_000_000_000 }
}

/// A small application: what it does with buttons, ticks and the display, besides its commands.
protocol Application: ~Copyable {
  /// Serves a gesture while the application is in use.
  /// - Returns: nil to leave it to the recorder.
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture?

  /// Once per tick.
  /// - Parameter microphone: the format in which it delivers; nil while it is closed.
  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession) -> Effect?

  /// What it shows on the display; nil if it does not want it.
  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication?
}

/// What came of a gesture that an application has served.
struct ServedGesture { let effect: Effect? }

extension Application where Self: ~Copyable {
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture? { nil }

  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession) -> Effect? { nil }

  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication? { nil }
}

/// The small applications behind one door, by which alone the recorder knows them, in the order in which they get
/// buttons and the display.
struct Applications: ~Copyable {
  private let place = StaysInPlace()
  var tuner: TunerService
  var practice: PracticeService
  var guitar: GuitarService
  var hangul: HangulClockService
  var calculator: CalculatorService

  /// - Returns: nil when none of them wants the gesture.
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture? {
    tuner.serve(gesture, of: button, &console) ?? practice.serve(gesture, of: button, &console)
      ?? guitar.serve(gesture, of: button, &console) ?? hangul.serve(gesture, of: button, &console)
      ?? calculator.serve(gesture, of: button, &console)
  }

  /// Once per tick. Only the practice wants something of the recorder then.
  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession) -> Effect? {
    _ = calculator.tick(microphone, &console)
    _ = tuner.tick(microphone, &console)
    return practice.tick(microphone, &console)
  }

  /// What one of them shows on the display.
  /// - Parameter metronome: what the player counts; it comes before what was switched on to stay.
  func screen(
    _ surroundings: ApplicationSurroundings, _ metronome: MetronomeReading?, _ console: borrowing ConsoleSession
  ) -> ViewApplication? {
    if let busy = tuner.screen(surroundings, console) ?? practice.screen(surroundings, console) { return busy }
    return guitar.screen(surroundings, console) ?? metronome.map { .metronome($0) }
      ?? hangul.screen(surroundings, console) ?? calculator.screen(surroundings, console)
  }

  /// Runs a command of one of them.
  mutating func run(
    _ command: Command, _ surroundings: ApplicationSurroundings, _ console: inout ConsoleSession
  ) -> Effect? {
    switch command {
    case .calculator(let command): calculator.run(command, &console)
    case .guitar(let command): guitar.run(command, &console)
    case .practice(let command):
      return practice.run(command, guitar.tuning, surroundings.speakerRefusal, &console)
    case .tuner(let hertz): tuner.run(referenceHertz: hertz, surroundings.microphone, &console)
    case .clock(let command): hangul.run(command, surroundings, &console)
    default: break
    }
    return nil
  }

  /// At each tick while a command of one of them is pending.
  mutating func advance(_ surroundings: ApplicationSurroundings, _ console: inout ConsoleSession) -> Effect? {
    let now = console.now
    switch console.pending {
    case .guitar(let reply): return guitar.advance(reply, &console)
    case .hangul(let due):
      hangul.step(due: due, unixNanoseconds: surroundings.unixNanoseconds, &console, at: now)
    default: break
    }
    return nil
  }

  /// The clock was configured anew.
  mutating func follow(_ settings: ClockSettings) { hangul.follow(settings) }

  /// Whether one of them is under way by itself.
  var isBusy: Bool { practice.isBusy }

  /// Whether the end of the program waits for something that is being stored.
  func isKeeping(at now: Instant) -> Bool { calculator.isKeeping(at: now) }

  /// At exit: restores the terminal.
  mutating func leave(_ console: inout ConsoleSession) { hangul.leave(&console) }
}

extension Services {
  func surroundings(_ clock: borrowing Clock) -> ApplicationSurroundings {
    ApplicationSurroundings(
      microphone: recording.capture.audioFormat, speakerRefusal: playback.player.kitRefusal,
      unixNanoseconds: clock.unixNanoseconds)
  }

  /// What has the display: a small application, or what is played where there is no picture of a camera.
  func application(_ status: ViewStatus, _ clock: borrowing Clock) -> ViewApplication {
    if let screen = applications.screen(surroundings(clock), playback.metronome, console) { return screen }
    let hasPicture = recording.capture.camera == .running
    return status.player.state == .none || status.isRecording || hasPicture ? .viewfinder : .player
  }
}
