import Base
import Configuration
import Console
import Machine
import Record

/// The stills of a take at an interval. Between two that are far apart the camera is closed.
struct StillLapse {
  /// When the next still is due; nil while no take has any.
  private var due: Instant?

  /// At each exchange.
  /// - Parameter interval: from one still to the next, in nanoseconds; nil while no take has any.
  /// - Returns: whether a still is due.
  mutating func step(interval: UInt64?, _ capture: inout CaptureUnit, at now: Instant) -> Bool {
    guard let interval else {
      capture.wakeCamera()
      due = nil
      return false
    }
    let next = due ?? now
    // A camera that is late has its still later, and those that it missed are left out.
    let isDue = now >= next && (capture.camera == .running || now >= next + Limits.stillLateNanoseconds)
    due = isDue ? next + (now.distance(since: next) / interval + 1) * interval : next
    if now + Limits.cameraWakingNanoseconds >= due ?? now {
      capture.wakeCamera()
    } else if interval > Limits.cameraRestNanoseconds, !isDue, capture.audioFormat != nil {
      capture.restCamera()
    }
    return isDue
  }
}

extension RecordingService {
  /// From one still of the open take to the next, in nanoseconds; nil if it has none.
  fileprivate var stillInterval: UInt64? {
    guard isTakeOpen, let form = take?.form, form.content == .stills, let lapse = form.lapse else {
      return nil
    }
    return UInt64(lapse.intervalSeconds * 1e9)
  }
}

extension Services {
  /// At each exchange: orders the take's next still.
  mutating func stepStills(at now: Instant) {
    guard lapse.step(interval: recording.stillInterval, &recording.capture, at: now) else { return }
    guard let refusal = stills.orderForTake(orientation.current, &recording.capture, clock.dates) else { return }
    recording.ledger.note("no still", at: recording.capture.position(at: now))
    if recording.capture.missCamera() { console.announce(refusal, as: .fault) }
  }
}

extension Limits {
  /// The camera is closed between stills that are further apart: what closing and opening costs is then saved again.
  static var cameraRestNanoseconds: UInt64 { 30_000_000_000 }

  /// How long before a still its camera is opened: up to a second until it is asked for, two until it delivers, and two
  /// for its exposure.
  static var cameraWakingNanoseconds: UInt64 { 5_000_000_000 }

  /// How late a still may be.
  static var stillLateNanoseconds: UInt64 { 5_000_000_000 }
}
