import Base
import Configuration
import Console
import Kit
import Machine
import Playback
import Record
import Wire

/// The buttons that an application in use may take from the recorder. `record` and the power line are never among them:
/// a press of `record` always records.
enum ApplicationButton {
  case prepare, play, stop, zoom, rotate

  /// - Returns: nil for a button that no application receives.
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

/// The state of the recorder that the applications see.
struct ApplicationSurroundings {
  /// The microphone's format; nil while it is closed.
  let microphone: AudioFormat?
  /// Why the speaker cannot be used.
  let speakerRefusal: PlayerRefusal?
  let unixNanoseconds: Int64
  /// 0 if nobody asks, as finding out costs a system call.
  var terminalRows = 0

  var unixSeconds: Int64 { unixNanoseconds / 1_000_000_000 }
}

/// An application's handling of buttons, ticks and the display, besides its commands.
protocol Application: ~Copyable {
  /// Handles a gesture while the application is in use.
  /// - Returns: nil to leave it to the recorder.
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture?

  /// At each tick.
  /// - Parameter microphone: the microphone's format; nil while it is closed.
  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession)

  /// What the application shows on the display; nil if it does not need it.
  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication?
}

/// The outcome of a gesture that an application has handled.
struct ServedGesture { let effect: Effect? }

extension Application where Self: ~Copyable {
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture? { nil }

  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession) {}

  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication? { nil }
}

/// The recorder's only access to the applications, in the order in which they get buttons and the display.
struct Applications: ~Copyable {
  private let place = StaysInPlace()
  var tuner: TunerService
  var practice: PracticeService
  var guitar: GuitarService
  var hangul: HangulClockService
  var calculator: CalculatorService

  /// - Returns: nil if no application takes the gesture.
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture? {
    tuner.serve(gesture, of: button, &console) ?? practice.serve(gesture, of: button, &console)
      ?? guitar.serve(gesture, of: button, &console) ?? hangul.serve(gesture, of: button, &console)
      ?? calculator.serve(gesture, of: button, &console)
  }

  /// At each tick. Only the practice has a request to the recorder then; without one, nothing as large as a request is
  /// passed on.
  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession) -> Effect? {
    calculator.tick(microphone, &console)
    tuner.tick(microphone, &console)
    return practice.hasWork(for: console) ? practice.tick(microphone, &console) : nil
  }

  /// What an application shows on the display.
  /// - Parameter metronome: the player's count; it takes precedence over what was switched on to stay.
  func screen(
    _ surroundings: ApplicationSurroundings, _ metronome: MetronomeReading?, _ console: borrowing ConsoleSession
  ) -> ViewApplication? {
    if let busy = tuner.screen(surroundings, console) ?? practice.screen(surroundings, console) { return busy }
    return guitar.screen(surroundings, console) ?? metronome.map { .metronome($0) }
      ?? hangul.screen(surroundings, console) ?? calculator.screen(surroundings, console)
  }

  /// Runs a command of one of the applications.
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

  /// At each tick while an application's command is pending.
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

  /// Applies new settings of the clock.
  mutating func follow(_ settings: ClockSettings) { hangul.follow(settings) }

  /// Whether an application is running on its own.
  var isBusy: Bool { practice.isBusy }

  /// Whether the end of the program waits for data being stored.
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

  /// The user of the display: an application, or the player if there is no camera picture.
  func application(_ status: ViewStatus, _ clock: borrowing Clock) -> ViewApplication {
    if let screen = applications.screen(surroundings(clock), playback.metronome, console) { return screen }
    let hasPicture = recording.capture.camera == .running
    return status.player.state == .none || status.isRecording || hasPicture ? .viewfinder : .player
  }
}
