import Base
import Machine
import Record

extension RecordingService {
  /// At each exchange, before the camera is read: leaves pictures out while it is hot.
  mutating func follow(_ heat: HeatReport, at now: Instant) {
    if self.heat.level == .hot, heat.level != .hot, recorder.state == .recording {
      noteLeftOut(at: capture.position(at: now))
    }
    self.heat = heat
    capture.leavesOutPictures = heat.level == .hot
  }

  /// At the beginning of a take: enters what holds already, for it may have begun before the pre-roll.
  mutating func enterHeat(at position: TimelinePosition) {
    notedLeftOutCount = captureLosses.leftOutCount
    if heat.level == .hot { ledger.note("at the press: every second picture is left out", at: position) }
    guard let flags = heat.throttling else { return }
    for index in 0..<UInt8(ThrottlingReason.count) {
      guard let reason = ThrottlingReason(rawValue: index), flags.contains(reason) else { continue }
      ledger.note("at the press: firmware: \(reason.name)", at: position)
    }
  }

  /// In a take: enters how many pictures were left out since the last such entry.
  mutating func noteLeftOut(at position: TimelinePosition) {
    let count = captureLosses.leftOutCount - notedLeftOutCount
    notedLeftOutCount = captureLosses.leftOutCount
    if count > 0 { ledger.note("pictures left out for heat: \(count)", at: position) }
  }
}
