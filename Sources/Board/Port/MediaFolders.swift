import Text

/// The folders that the library looks through. Paths are relative to the data folder, or absolute. Calls may take as
/// long as a stalled card takes: they are made only on the library worker's thread.
public protocol MediaFolders: ~Copyable {
  /// Calls `visit` with each entry of a folder, in no order, until it returns false. Leaves out what begins with a dot,
  /// what is neither a file nor a folder, what has a name of more than 255 bytes, and links to a folder that this one
  /// is in.
  /// - Parameter place: where to begin: 0, or what an earlier call for the same folder returned.
  /// - Returns: the place behind the entry for which `visit` returned false; nil when there are no more. In a folder
  ///   that changes between two calls an entry can be met twice, or not at all.
  /// - Throws: with kind `absent` when there is no such folder.
  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64?

  /// What lies at `path`; its name is the last part of it.
  /// - Throws: with kind `absent` when there is nothing.
  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry
}
