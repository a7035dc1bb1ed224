import Base
import Configuration
import Console
import Machine
import Record

extension RecordingService {
  /// After boot: goes on with the take that a crash or a power cut interrupted, in a new file.
  mutating func resume(
    after interruption: TakeInterruption, _ machine: inout Hardware,
    _ console: inout ConsoleSession
  ) {
    guard !interruption.path.isEmpty else { return }
    guard settings.record.resumes, interruption.isResumable else {
      if settings.record.resumes { announceGivingUp(interruption, &console) }
      return dropInterruption()
    }
    continued = interruption.path
    press(&machine, &console, at: machine.clock.now)
    // Without a device there is nothing to go on with until the next boot.
    if recorder.state == .failed { continued.removeAll() }
  }

  private func announceGivingUp(_ interruption: TakeInterruption, _ console: inout ConsoleSession) {
    console.announce(
      """
      take \(interruption.path) was interrupted and is not continued: the last \(interruption.shortResumptionCount) \
      takes were interrupted within \(TakeLimits.resumedSeconds) s; the record button begins one
      """ as FixedText<320>)
  }
}
