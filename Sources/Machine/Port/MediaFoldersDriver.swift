import Base

/// The folders that the library looks through. Paths are relative to the data folder, or absolute. Calls may take as
/// long as a stalled card takes: they are made only on the library worker's thread.
package protocol MediaFoldersDriver: ~Copyable {
  /// Calls `visit` with each entry of a folder, in no order, until it returns false. Leaves out what begins with a dot,
  /// what is neither a file nor a folder, what has a name of more than 255 bytes, and links to a folder that this one
  /// is in.
  /// - Parameter place: where to begin: 0, or what an earlier call for the same folder returned.
  /// - Returns: the place after the entry for which `visit` returned false; nil after the last entry. In a folder that
  ///   changes between two calls an entry can be visited twice, or not at all.
  /// - Throws: with kind `absent` when there is no such folder.
  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64?

  /// The entry at `path`; its name is the last part of it.
  /// - Throws: with kind `absent` when there is nothing.
  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry
}

/// A file or a folder, as the file system reports it.
package struct FolderEntry: BitwiseCopyable, Sendable {
  /// Without the path of its folder.
  package var name: FixedText<256>
  /// Whether it is a folder; else it is an ordinary file.
  package var isFolder: Bool
  /// The file's length.
  package var byteCount: UInt64
  /// When it was last changed, in nanoseconds since 1970 as the device knew it.
  package var modifiedNanoseconds: Int64
  /// Whether it is on another file system than the data folder: behind a link, or mounted there.
  package var isOnOtherDevice: Bool

  package init(
    name: FixedText<256>, isFolder: Bool, byteCount: UInt64, modifiedNanoseconds: Int64, isOnOtherDevice: Bool = false
  ) {
    self.name = name
    self.isFolder = isFolder
    self.byteCount = byteCount
    self.modifiedNanoseconds = modifiedNanoseconds
    self.isOnOtherDevice = isOnOtherDevice
  }
}
