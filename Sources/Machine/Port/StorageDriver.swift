import Base

/// A file of the data folder, open for reading and writing.
package protocol StorageFile: MediaFile, ~Copyable where Failure == DeviceFailure {}

/// The data folder. Paths are relative to it and do not lead out of it. Calls may take as long as a stalled card takes:
/// they are made only on the storage worker's thread.
package protocol StorageDriver: ~Copyable {
  /// Makes a folder and those above it; no error when it exists.
  mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Makes a new file and opens it; it closes when the value ends.
  /// - Throws: with kind `exists` when there is one of that name: nothing is ever overwritten.
  mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile

  /// Opens an existing file.
  mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile

  /// Replaces a small file whole: after a power cut it holds the old bytes or the new. Only the recorder's user may read
  /// one that lies in no folder of the data folder.
  mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure)

  /// Renames a file atomically, perhaps into another folder.
  /// - Throws: with kind `exists` when there is one of that name: nothing is ever overwritten.
  mutating func rename(_ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>) throws(DeviceFailure)

  /// Makes the names of new files in a folder survive a power cut (`fsync` of the folder).
  mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Removes a file.
  /// - Throws: with kind `absent` when there is none of that name.
  mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Opens the data folder again: the card may have gone and come back. Files that were open stay what they are.
  /// - Throws: when it is not there, or what is there is not our data folder; nothing has changed then.
  mutating func reopen() throws(DeviceFailure)

  /// Goes on in the configured fallback folder, until ``reopen()``. Files that were open stay what they are.
  /// - Throws: when there is none, or it is in use already, or it cannot be written to; nothing has changed then.
  mutating func fallBack() throws(DeviceFailure)

  /// An existing folder outside the data folder, such as that of a USB stick. What is opened there is read from the disk,
  /// not from memory, and whoever may look into the folder may read what is written there.
  /// - Parameter folder: its absolute path.
  func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage

  /// Bytes that the recorder may still use on the file system.
  func freeByteCount() throws(DeviceFailure) -> UInt64

  /// Calls `visit` with the name of each entry of a folder, in no order, until it returns false.
  mutating func forEachEntry(
    of folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<128>, _ isFolder: Bool) -> Bool
  ) throws(DeviceFailure)
}
