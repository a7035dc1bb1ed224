import Base
import Console
import Machine
import Record
import Wire

extension RecordingService {
  /// Sets a mark in the open take.
  /// - Parameters:
  ///   - text: empty for none.
  ///   - instant: of the press, or of the command.
  mutating func mark(
    _ text: FixedText<64>, for origin: Origin, _ console: inout ConsoleSession, at instant: Instant
  ) {
    guard recorder.state == .recording, let take else {
      return console.refuse("no take is being recorded" as FixedText<64>, for: origin)
    }
    let position = capture.position(at: instant)
    let separator: StaticString = text.isEmpty ? "" : ": "
    guard ledger.note("mark\(separator)\(text.printable)", at: position) else {
      return console.refuse("the card does not answer: this mark is not kept" as FixedText<64>, for: origin)
    }
    let seconds = Double(position.distance(since: take.startPosition)) / Double(capture.timelineRateHz)
    let line: FixedText<128> = "mark \(seconds, decimals: 1) s into the take\(separator)\(text.printable)"
    switch origin {
    case .button: console.announce(line)
    case .console:
      console.reply(line)
      console.complete()
    }
  }

  /// After each step of the devices: notes what they lost, and which was lost or is back, and tells who is back.
  /// - Parameters:
  ///   - microphone: the state before the step.
  ///   - camera: the same.
  mutating func noteDevices(
    _ microphone: DeviceState, _ camera: DeviceState, _ console: inout ConsoleSession, at now: Instant
  ) {
    let position = capture.position(at: now)
    ledger.note(
      lostFrameCount: captureLosses.frameCount, soundEnd: capture.audio.end, lostPictureCount: losses.pictures,
      pictureEnd: position, at: now)
    if microphone == .running, capture.microphone.isLost {
      ledger.note("microphone lost: silence from here on", at: capture.audio.end)
    }
    if microphone.isLost, capture.microphone == .running {
      ledger.note("microphone works again", at: position)
      console.announce("microphone works again")
    }
    if camera == .running, capture.camera.isLost { ledger.note("camera lost", at: position) }
    if camera.isLost, capture.camera == .running {
      ledger.note("camera works again", at: position)
      announceCamera(&console)
    }
  }
}
