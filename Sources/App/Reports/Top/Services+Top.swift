import Base
import Console
import Machine
import Record
import Wire

extension Services {
  /// At each reading of the meters.
  mutating func followTop(at now: Instant) {
    let sample = TopRates.Sample(
      pictureCount: recording.capture.video.pictureCount, byteCount: recording.progress.byteCount,
      soundPercent: recording.capture.soundFillPercent, picturePercent: recording.pictures.fillPercent)
    top.follow(sample, at: now)
  }

  /// At each tick while `top` is pending.
  mutating func advanceTop(
    _ machine: borrowing Hardware, _ metrics: borrowing LoopMetrics, at now: Instant
  ) {
    levels.follow(recording.capture, at: now)
    guard let row = top.step(&console, at: now) else { return }
    var view = ViewStatus()
    recording.describe(in: &view, at: now)
    let composed = TopRow(
      status: status(machine, metrics, at: now), faults: view.faults, rates: top.rates,
      levels: recording.capture.levels, truePeaks: levels.truePeaks)
    composed.put(row, on: &console)
  }
}
