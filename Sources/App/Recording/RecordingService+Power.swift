import Base
import Console
import Machine
import Record

extension RecordingService {
  /// The line of `[power]`: finishes the open take at once, and lets none begin until the power is back.
  mutating func notePower(
    _ gesture: Gesture, _ machine: inout Hardware, _ console: inout ConsoleSession
  ) {
    switch gesture {
    case .pressed(let instant):
      isPowerFailing = true
      guard recorder.state == .recording else {
        return console.announce("power is failing: no take begins", as: .fault)
      }
      console.announce("power is failing: the take is finished now", as: .fault)
      press(&machine, &console, at: instant)
    case .short, .released:
      isPowerFailing = false
      console.announce("power is back")
    case .long, .double: break
    }
  }
}
