import Port
import Configuration
import Console
import Controls
import Takes
import Text

extension MainLoop where Machine: ~Copyable {
  /// Serves what is asked on the console.
  mutating func serveConsole(atNanoseconds now: UInt64) {
    endWait(atNanoseconds: now)
    if let press = heldPress { self.press(press.button, milliseconds: press.milliseconds, atNanoseconds: now) }
    while let request = console.nextRequest() {
      switch request {
      case .command(let command): serve(command, atNanoseconds: now)
      // It is told again whenever it is asked for.
      case .endOfInput: return stop()
      }
    }
  }

  private mutating func endWait(atNanoseconds now: UInt64) {
    guard let end = waitEndNanoseconds else { return }
    guard now >= end || console.takeInterrupt() else { return }
    waitEndNanoseconds = nil
    console.complete()
  }

  private mutating func serve(_ command: Command, atNanoseconds now: UInt64) {
    switch command {
    case .status(.lines): reportStatus(atNanoseconds: now)
    case .status(.json): reportStatusJSON(atNanoseconds: now)
    case .press(let button, let milliseconds): press(button, milliseconds: milliseconds, atNanoseconds: now)
    case .wait(let nanoseconds): waitEndNanoseconds = now + nanoseconds
    case .tilt(let position): tilt(to: position)
    case .record(let action): record(action, atNanoseconds: now)
    case .config: printConfiguration()
    case .version:
      console.reply("\(context.software)" as FixedText<256>)
      console.complete()
    case .quit:
      isQuitUnanswered = true
      stop()
    case .help: break
    default:
      let isServed = serveForCamera(command, atNanoseconds: now) || serveForPlayer(command)
      precondition(isServed, "a command that nobody serves")
    }
  }

  private mutating func press(_ button: Button, milliseconds: UInt32, atNanoseconds now: UInt64) {
    guard machine.allowsInjection else { return refuseInjection() }
    guard now >= buttonsFreeNanoseconds[Int(button.rawValue)] else {
      heldPress = HeldPress(button: button, milliseconds: milliseconds)
      return
    }
    heldPress = nil
    let end = now + UInt64(milliseconds) * 1_000_000
    machine.buttons.inject(button, fromNanoseconds: now, toNanoseconds: end)
    buttonsFreeNanoseconds[Int(button.rawValue)] = end + Limits.fingerMilliseconds * 1_000_000
    console.complete()
  }

  private mutating func tilt(to position: Position) {
    guard machine.allowsInjection else { return refuseInjection() }
    machine.accelerometer.inject(position.acceleration)
    console.complete()
  }

  private mutating func refuseInjection() {
    console.refuse("this board has a hand and a way up of its own: start with --allow-inject to play them")
  }

  private mutating func record(_ action: RecordAction, atNanoseconds now: UInt64) {
    let isRecording = recorder.state == .recording
    switch action {
    case .start where isRecording: return console.refuse("a take is being recorded already")
    case .stop where !isRecording: return console.refuse("no take is being recorded")
    case .start, .stop: pressRecord(atNanoseconds: now)
    }
    if recorder.state == .failed { return console.refuse("there is neither a microphone nor a camera") }
    console.complete()
  }

  private mutating func printConfiguration() {
    var index = 0
    while let line = context.settings.line(at: index) {
      console.reply(line)
      index += 1
    }
    console.complete()
  }
}
