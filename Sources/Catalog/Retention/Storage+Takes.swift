import Base
import Machine
import Record

extension Storage {
  /// Whether the storage worker's journal lists a file at this path, or in the folder there, as open.
  mutating func hasOpenFile(at path: borrowing FixedText<128>) throws(DeviceFailure) -> Bool {
    // TakeJournal.largestByteCount.
    var bytes = InlineArray<2048, UInt8>(repeating: 0)
    var byteCount = 0
    do throws(DeviceFailure) {
      var span = bytes.mutableSpan
      var space = unsafe span.mutableBytes
      byteCount = try read(TakeJournal.path, at: 0, into: &space)
    } catch {
      guard error.kind == .absent else { throw error }
    }
    return TakeJournal.hasOpenFile(at: path, journal: bytes.span.extracting(first: byteCount))
  }

  /// The first name in a folder after another one, by their bytes; nil after the last. The folder is listed again each
  /// time: a place in it would not survive that entries are removed.
  mutating func firstName(
    in folder: borrowing FixedText<128>, after last: FixedText<256>
  ) throws(DeviceFailure) -> FixedText<256>? {
    var first: FixedText<256>?
    try forEachName(in: folder) { entry in
      guard last.precedes(entry.name) else { return }
      if let best = first, !entry.name.precedes(best) { return }
      first = entry.name
    }
    return first
  }

  /// What is at a path; nil when there is nothing.
  mutating func find(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> FolderEntry? {
    do throws(DeviceFailure) {
      return try entry(at: FixedText(path.bytes))
    } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
  }

  /// Removes a take, and then what a person called it. Should the power fail in between, a name is left over that no
  /// other take gets.
  mutating func removeTake(_ number: UInt32, at path: borrowing FixedText<128>) throws(DeviceFailure) {
    try remove(path)
    try removeIfThere(NamePath.path(ofTake: number))
  }

  /// Removes a file if there is one.
  mutating func removeIfThere(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    do throws(DeviceFailure) { try remove(path) } catch { guard error.kind == .absent else { throw error } }
  }
}
