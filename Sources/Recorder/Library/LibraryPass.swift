import Port
import Values
import Text

/// One pass through the folders: what becomes of each file that it meets.
struct LibraryPass: BitwiseCopyable {
  /// Which pass it is, modulo 256: what has another number at its end was not met.
  var number: UInt8
  /// Files for which there was no room.
  var leftOutCount: UInt32 = 0
  /// For the age of files.
  var unixSeconds: Int64 = 0

  /// A file whose last change is younger may still be written to.
  private static var restNanoseconds: Int64 { 3_000_000_000 }

  init(number: UInt8) { self.number = number }

  /// Takes notice of a file, except where it may still be written to: then a later pass will.
  mutating func meet(
    _ entry: borrowing FolderEntry, at path: borrowing FixedText<256>, _ growing: borrowing GrowingTakes,
    _ index: inout MediaIndex
  ) {
    guard let kind = LibraryPath.kind(of: path.bytes), PlainText.isPlain(path.bytes) else { return }
    let slot = index.slot(of: path.bytes)
    if let slot { index.meet(slot, passNumber: number) }
    guard !growing.contains(path.bytes), isAtRest(entry.modifiedNanoseconds) else { return }
    if let slot { renew(slot, entry, &index) } else { add(path, kind, entry, &index) }
  }

  /// Takes notice of a file that is known to be complete.
  mutating func meetComplete(
    _ entry: borrowing FolderEntry, at path: borrowing FixedText<256>, _ index: inout MediaIndex
  ) {
    guard let kind = LibraryPath.kind(of: path.bytes), PlainText.isPlain(path.bytes) else { return }
    if let slot = index.slot(of: path.bytes) {
      index.meet(slot, passNumber: number)
      renew(slot, entry, &index)
    } else {
      add(path, kind, entry, &index)
    }
  }

  private func renew(_ slot: UInt32, _ entry: borrowing FolderEntry, _ index: inout MediaIndex) {
    let (byteCount, modifiedNanoseconds) = (entry.byteCount, entry.modifiedNanoseconds)
    let known = index[slot]
    if known.byteCount == byteCount && known.modifiedNanoseconds == modifiedNanoseconds { return }
    index.noteChange(of: slot, entry)
  }

  private mutating func add(
    _ path: borrowing FixedText<256>, _ kind: MediaKind, _ entry: borrowing FolderEntry, _ index: inout MediaIndex
  ) {
    if !index.insert(path.bytes, kind: kind, entry, passNumber: number) { leftOutCount += 1 }
  }

  /// A time of change far in the future tells of a clock that was wrong, not of a file that grows.
  private func isAtRest(_ modifiedNanoseconds: Int64) -> Bool {
    let (now, tooLate) = unixSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (age, tooLong) = now.subtractingReportingOverflow(modifiedNanoseconds)
    return tooLate || tooLong || age.magnitude >= Self.restNanoseconds.magnitude
  }
}
