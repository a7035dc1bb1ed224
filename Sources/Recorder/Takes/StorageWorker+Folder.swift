import Port
import Rings
import Text
import Values

extension StorageWorker where Store: ~Copyable {
  /// After a take that the card has ended: looks once a second whether the data folder is there and can be written to.
  mutating func lookForFolder() -> Bool {
    guard let look = nextLook, isArmed, take == nil, pending == nil, tracks.timeline.now >= look else { return false }
    nextLook = tracks.timeline.now + UInt64(formats.timelineRateHz)
    do throws(DeviceFailure) {
      try takeUpFolder()
      report(.storageReturned)
    } catch {
      return false
    }
    return true
  }

  /// The folder may be another one than before: its journal counts, and its open files are repaired.
  mutating func takeUpFolder() throws(DeviceFailure) {
    try storage.reopen()
    var found = try TakeJournal(from: &storage)
    found.goOn(from: journal)
    try found.save(to: &storage)
    journal = found
    nextLook = nil
    retryRepairs()
  }
}
