import Base
import Console
import Machine
import Playback
import Record
import Wire

extension Services {
  /// What has the display: what somebody is busy with, then what was switched on, then what is played where there is no
  /// picture of a camera.
  func application(
    _ status: ViewStatus, _ clock: borrowing Clock, at now: Instant
  ) -> ViewApplication {
    if case .tuner = console.pending { return .tuner(tuner.reading) }
    if let chord = practice.reading { return .chord(chord) }
    if let chord = guitar.reading(at: now) { return .chord(chord) }
    if let metronome = playback.metronome { return .metronome(metronome) }
    if hangul.hasDisplay {
      return .hangulClock(HangulBoardLevels(hangul.brightness(unixNanoseconds: clock.unixNanoseconds)))
    }
    let hasPicture = recording.capture.camera == .running
    return status.player.state == .none || status.isRecording || hasPicture ? .viewfinder : .player
  }
}
