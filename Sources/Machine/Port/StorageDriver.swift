import Base

/// A file in the data folder, open for reading and writing.
package protocol StorageFile: MediaFile, ~Copyable where Failure == DeviceFailure {
  /// The largest size it can have, as far as known: FAT limits files to 4 GiB.
  var largestByteCount: UInt64 { get }

  /// Sets when the file was last changed, as other programs show it. What a file system cannot keep is left out.
  mutating func setModified(unixNanoseconds: Int64)
}

/// What the data folder is used for. This decides how links are treated, and what happens if another card is inserted.
package enum FolderUse: BitwiseCopyable, Sendable {
  /// For takes. Links inside the folder are followed, but none may lead out of it; the card stays the one that was
  /// opened until ``StorageDriver/reopen()``.
  case recording
  /// To list and remove takes. No link in or at the end of a path is followed, and files are only read. Each access
  /// uses the card that is present at that moment.
  case keeping
  /// To look for music, also at absolute paths. Links are followed. Each folder is on the card present at that moment.
  case browsing
}

/// The data folder. Paths are relative to it and do not lead out of it, except where ``FolderUse`` allows it. Calls may
/// take as long as a stalled card takes: they are made only on the thread of the worker that owns it.
package protocol StorageDriver: ~Copyable {
  /// Makes a folder and its missing parents; it is not an error if the folder exists.
  mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Makes a new file and opens it; it closes at the end of the value's lifetime.
  /// - Throws: with kind `exists` if the name is taken: nothing is ever overwritten.
  mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile

  /// Opens an existing file.
  mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile

  /// Replaces a small file atomically: after a power cut it holds either the old bytes or the new. A file at the top of
  /// the data folder is readable only by the recorder's user.
  mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure)

  /// Renames a file atomically, perhaps into another folder.
  /// - Throws: with kind `exists` if the new name is taken: nothing is ever overwritten.
  mutating func rename(_ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>) throws(DeviceFailure)

  /// Makes the names of new files in a folder survive a power cut (`fsync` of the folder).
  mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Protects a file from removal, or lifts the protection; durable when the call returns.
  mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure)

  /// Removes a file, not a folder.
  /// - Throws: with kind `absent` if it does not exist.
  mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Removes an empty folder.
  mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Opens the data folder again: the card may have been removed and put back. Open files are unaffected.
  /// - Throws: if it is missing, or is neither a data folder nor another disk; nothing has changed then.
  mutating func reopen() throws(DeviceFailure)

  /// Whether ``reopen()`` would open another folder: another card has been put in.
  var isReplaced: Bool { get }

  /// Switches to the configured fallback folder, until ``reopen()``. Open files are unaffected.
  /// - Throws: if there is none, it is in use already, or it cannot be written to; nothing has changed then.
  mutating func fallBack() throws(DeviceFailure)

  /// An existing folder outside the data folder, such as one on a USB stick. Files opened there are read from the disk,
  /// not from the cache, and anyone with access to the folder may read what is written there.
  /// - Parameter folder: its absolute path.
  func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage

  /// - Throws: if there is such a folder, and the recorder's user may not make files in it.
  func requireAccess(to folder: borrowing FixedText<128>) throws(DeviceFailure)

  /// Bytes that the recorder may still use on the file system.
  func freeByteCount() throws(DeviceFailure) -> UInt64

  /// Calls `visit` with each entry of a folder, in any order, until it returns false. For ``FolderUse/browsing``, skips
  /// names that start with a dot, anything but files and folders, and links to a folder that contains this one.
  /// - Parameters:
  ///   - place: where to start: 0, or the value returned by an earlier call for the same folder.
  ///   - isExamined: whether to report everything about an entry; otherwise only its name and kind, which is cheaper.
  /// - Returns: the place after the entry for which `visit` returned false; nil after the last entry. If the folder
  ///   changes between two calls, an entry may be visited twice or not at all.
  /// - Throws: with kind `absent` if there is no such folder.
  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64?

  /// The entry at `path`; its name is the path's last part.
  /// - Throws: with kind `absent` if there is nothing.
  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry
}

extension StorageDriver where Self: ~Copyable {
  /// It stays.
  package var isReplaced: Bool { false }

  /// Nothing is forbidden.
  package func requireAccess(to folder: borrowing FixedText<128>) throws(DeviceFailure) {}
}

/// An entry of a folder, as the file system reports it.
package struct FolderEntry: BitwiseCopyable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// An ordinary file.
    case file
    case folder
    /// A link that is not followed, a device, a pipe or a socket.
    case other
  }

  /// The name without its folder's path.
  package var name: FixedText<256>
  package var kind: Kind
  package var byteCount: UInt64
  /// When it was last changed, in nanoseconds since 1970 by the device's clock at the time.
  package var modifiedNanoseconds: Int64
  /// Whether it is protected from removal.
  package var isProtected: Bool
  /// Whether it is on a different file system from the data folder: behind a link, or mounted there.
  package var isOnOtherDevice: Bool

  package var isFolder: Bool { kind == .folder }

  package init(
    name: FixedText<256>, kind: Kind, byteCount: UInt64 = 0, modifiedNanoseconds: Int64 = 0, isProtected: Bool = false,
    isOnOtherDevice: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.byteCount = byteCount
    self.modifiedNanoseconds = modifiedNanoseconds
    self.isProtected = isProtected
    self.isOnOtherDevice = isOnOtherDevice
  }
}
